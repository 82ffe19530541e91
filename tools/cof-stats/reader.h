/*
 * reader.h - one look at a stats file, checked before use
 *
 * The file may be of another build, half written, damaged or hostile. So the
 * reader checks every offset, count and size before it uses it, and ends every
 * text with a NUL.
 *
 * The file is read, not mapped. If its owner cut a mapped file short, SIGBUS
 * would kill the reader; and what was checked could change before it is used.
 *
 * The process need not run: counters and rows of a stopped or dead process read
 * the same. A row that was being written when the process stopped is left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/pidstat.h"
#include "stats/stats_file.h"

#define READER_WHY 200		/* bytes for a line that says what is wrong */

/* Plain values, copied from the file. reader_free() frees the tables. */
struct reader {
	struct cof_stats_file_header head;
	struct cof_stats_file_desc  *desc;
	uint64_t                    *value;	/* of desc[i] */
	uint32_t                     n;		/* counters */
	struct cof_stats_file_hot   *hot;	/* heaviest first */
	uint32_t                     n_hot;
	struct cof_stats_file_phase *phase;	/* oldest first */
	uint32_t                     n_phase;
	uint32_t                     torn;	/* rows left out */
	enum cof_life                life;
	bool                         unlinked;	/* the process removed it */
	uint64_t                     now_ns;	/* the look, CLOCK_MONOTONIC */
};

/* 0; or -1 with `why`, and there is nothing to free. */
int  reader_read(struct reader *r, int fd, char why[READER_WHY]);
void reader_free(struct reader *r);

/* The value of a counter, if the file has one of that name. */
bool reader_find(const struct reader *r, const char *stage, const char *name,
		 uint64_t *value);

/* From cof_start() until now; of a dead process, until the last update. */
uint64_t reader_uptime_ns(const struct reader *r);

/* From the last update of the rows until now. */
uint64_t reader_age_ns(const struct reader *r);

/* "running", "stopped", "dead", "unknown" */
const char *reader_state(const struct reader *r);
