/*
 * replay.h - samples from a text file
 *
 * Each line is one statement; `#` starts a comment. Addresses and offsets are
 * hex, with or without 0x; other numbers are decimal:
 *
 *	sample fib+1c		one sample, in the current version of the method
 *				called fib, 0x1c bytes into it
 *	sample fib		one sample at its start
 *	sample @7f00c0de	one sample at an address
 *	samples 250 fib+1c	250 of them
 *	wait 200		go on 200 ms later
 *
 * Names may hold blanks. The offset is what follows the last `+`, if that is a
 * number. Samples of a method that is not known yet are at address 0; the next
 * statement that names it looks it up again.
 *
 * Pure: the caller passes the clock and the lookup.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sampler/sources/source.h"

struct cof_replay_step {
	uint64_t count;		/* samples; 0: wait */
	uint64_t wait_ns;
	char    *name;		/* NULL: address */
	uint64_t at;		/* address, or offset in the version */
};

struct cof_replay {
	struct cof_replay_step *step;
	uint32_t n, next, room;
	uint64_t start_ns;	/* what the next wait counts from */
	bool     started;
};

/* Returns 0, or a negative cof_err and one line in why: -COF_E_INVAL with the
 * number of the wrong line, or -COF_E_NOMEM. Frees *r on an error. */
int  cof_replay_parse(struct cof_replay *r, FILE *from, char *why,
		      size_t why_bytes);
void cof_replay_free(struct cof_replay *r);

/* The start of the method's current version; 0: not known. */
typedef uint64_t cof_replay_find_fn(void *arg, const char *name);

/* Pass the samples that are due at now_ns to `sink`. */
void cof_replay_run(struct cof_replay *r, uint64_t now_ns,
		    cof_replay_find_fn *find, void *find_arg,
		    cof_sample_fn *sink, void *sink_arg);
