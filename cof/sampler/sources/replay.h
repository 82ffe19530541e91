/*
 * replay.h - samples from a text file
 *
 * One statement a line; `#` starts a comment; numbers are decimal but for
 * addresses and offsets, which are hex with or without 0x:
 *
 *	sample fib+1c		one sample, in the current version of the method
 *				called fib, 0x1c bytes into it
 *	sample fib		the same at its start
 *	sample @7f00c0de	one sample at an address
 *	samples 250 fib+1c	250 of them
 *	wait 200		go on 200 ms later
 *
 * Names may hold blanks; the offset is what follows the last `+`, if that reads
 * as a number. A method that is not known yet is tried again with the next
 * statement that names it; samples of it meanwhile are at address 0.
 *
 * Pure: the clock and the lookup are the caller's.
 */
#ifndef COF_SAMPLER_SOURCES_REPLAY_H
#define COF_SAMPLER_SOURCES_REPLAY_H

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
	size_t   n, next;
	uint64_t start_ns;	/* now, when the steps up to next began */
	bool     started;
};

/* 0, or -COF_E_INVAL and the line that is wrong in why, or -COF_E_NOMEM. */
int  cof_replay_parse(struct cof_replay *r, FILE *from, char *why,
		      size_t why_bytes);
void cof_replay_free(struct cof_replay *r);

/* Where does the method's current version start? 0: not known. */
typedef uint64_t cof_replay_find_fn(void *arg, const char *name);

/* Deliver what is due at now_ns. */
void cof_replay_run(struct cof_replay *r, uint64_t now_ns,
		    cof_replay_find_fn *find, void *find_arg,
		    cof_sample_fn *sink, void *sink_arg);

#endif /* COF_SAMPLER_SOURCES_REPLAY_H */
