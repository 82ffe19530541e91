/*
 * process_words.h - what code refers to that differs from process to process
 *
 * Code that counts, or that has points, needs addresses of this process. It
 * reads them from a section of its own object, which the host fills in once the
 * object is loaded. So the object can be cached for another process.
 */
#pragma once

#include <stdint.h>

struct cofl_top;
struct cofl_word;

#define COFL_PROCESS_WORDS_SECTION ".cof.process"

struct cofl_process_words {
	int64_t  counters_word;		/* cofl_counter_shards_word() */
	uint64_t counters_offset;	/* in the block of each thread */
	void   (*top_miss)(struct cofl_top *top, uint64_t value);
	struct cofl_word *point;	/* by loop */
};
