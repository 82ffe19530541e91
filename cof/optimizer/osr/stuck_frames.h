/*
 * stuck_frames.h - versions that threads may stay in, and what their samples say
 *
 * One for each version that was replaced, or is current and counts how often it is
 * entered, until its code is gone. Once per generation it is looked at: is it busy
 * still, and is it stuck? What follows from that, and asking the host, is osr.h's.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_OSR_STUCK_FRAMES_H
#define COF_OPTIMIZER_OSR_STUCK_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "code/version.h"

struct cof;

struct cof_stuck_frame {
	struct cof_stuck_frame    *next;
	struct cof_version *version;
	uint64_t            samples;	/* at the last look */
	uint64_t            since;	/* as of when it began to be busy */
	uint32_t            busy;	/* generations with samples, */
	uint32_t            quiet;	/* and in a row without, since then */
	uint64_t            entries;	/* at the last look, if it counts them */
	bool                stuck;	/* current, hot, and nobody came since
					 * the look before */
	bool                led;	/* its loops lead to continuations */
	enum cof_plan       plan;	/* asked for last, */
	uint32_t            tries;	/* and so often */
	bool                declined;	/* with that plan */
};

struct cof_stuck_frames {
	struct cof_stuck_frame *first;
	uint32_t         n;
};

/* From now on. Without memory it is not watched. */
void cof_stuck_frames_add(struct cof *cof, struct cof_stuck_frames *frames,
		   struct cof_version *version);

/* NULL: it is not watched. */
struct cof_stuck_frame *cof_stuck_frames_find(const struct cof_stuck_frames *frames,
				const struct cof_version *version);

/* Those whose code is gone; records of versions are freed in later turns only. */
void cof_stuck_frames_drop_gone(struct cof *cof, struct cof_stuck_frames *frames);

/* The first one is not watched any more. */
void cof_stuck_frames_drop_first(struct cof *cof, struct cof_stuck_frames *frames);

/* Once per generation: what its samples and entries since the last look say. */
void cof_stuck_frame_look(struct cof *cof, struct cof_stuck_frame *frame);

/* What was seen so far says nothing: begin anew. */
void cof_stuck_frame_forget(struct cof_stuck_frame *frame);

/* Is it current and led elsewhere, though it is not meant to be vacated? */
bool cof_stuck_frame_is_back(const struct cof_stuck_frame *frame);

/* All samples of it. */
uint64_t cof_stuck_frame_samples(const struct cof_version *version);

static inline struct cof_version *cof_stuck_frame_current(struct cof_method *method)
{
	return atomic_load_explicit(&method->current, memory_order_acquire);
}

#endif /* COF_OPTIMIZER_OSR_STUCK_FRAMES_H */
