/*
 * ladder.h - the sources that an instance may use, best first
 *
 *	rung 0   declined:  "perf: event cycles: no hardware counters"
 *	rung 1   in use:    "timer: in use"
 *	rung 2   spare:     opened once rung 1 declines a thread
 *
 * Thread: open and close run on the thread that starts and stops the sampler;
 * attach, detach and set_period run under the threads lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sampler/sources/source.h"

struct cof;
struct cof_thread;

enum cof_rung_state { COF_RUNG_SPARE, COF_RUNG_OPEN, COF_RUNG_DECLINED };

struct cof_rung {
	const struct cof_source *source;
	enum cof_rung_state      state;
	void                    *own;	/* the source's state, while OPEN */
};

#define COF_LADDER_RUNGS 3u

struct cof_ladder {
	struct cof      *cof;
	struct cof_rung  rung[COF_LADDER_RUNGS];
	uint32_t         n;
	struct cof_rung *top;		/* the rung in use; NULL: none */
	bool             signal;	/* sources may signal */
	char             why[512];	/* a clause per rung, for people */
};

struct cof_opts;

/* The sources that the options allow, best first. Returns their number. */
uint32_t cof_ladder_choose(const struct cof_opts *opts,
			   const struct cof_source *out[COF_LADDER_RUNGS]);

/*
 * Open the first of source[0..n) that opens. `signal`: the handler is
 * installed; otherwise sources that signal are declined. True: one is open.
 * ladder->why says why those before it are not.
 */
bool cof_ladder_open(struct cof_ladder *ladder, struct cof *cof,
		     const struct cof_source *const *source, uint32_t n,
		     bool signal);
void cof_ladder_close(struct cof_ladder *ladder);

/* Is a source open whose samples SAM has to read from each thread? */
bool cof_ladder_reads(const struct cof_ladder *ladder);

/* Sample t every period_ns of its CPU time. False: no rung takes it. */
bool cof_ladder_attach(struct cof_ladder *ladder, struct cof_thread *t,
		       uint64_t period_ns);
void cof_ladder_detach(struct cof_thread *t);
void cof_ladder_set_period(struct cof_thread *t, uint64_t period_ns);

/* Set a random period, at most `pct` percent off period_ns. */
void cof_ladder_jitter(struct cof_thread *t, uint64_t period_ns, uint32_t pct);
