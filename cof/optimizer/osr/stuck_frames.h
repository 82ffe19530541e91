/*
 * stuck_frames.h - watch versions that threads may be stuck in
 *
 * A record for each version that was replaced, or is current and counts its
 * entries, until its code is gone. Once per generation P/O looks whether the
 * version is still busy, and whether it is stuck. osr.h acts on that.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "code/version.h"

struct cof;

struct cof_stuck_frame {
	struct cof_stuck_frame *next;
	struct cof_version *version;
	uint64_t            samples;	/* at the last look */
	uint64_t            since;	/* samples when it began to be busy */
	uint32_t            busy;	/* generations with samples, or stuck */
	uint32_t            quiet;	/* since then, without, in a row */
	uint64_t            entries;	/* at the last look, if counted */
	bool                stuck;	/* current, hot, and not entered since
					 * the previous look */
	bool                entered;	/* since the previous look; true if that
					 * is not counted */
	uint32_t            against;	/* number of the new version */
	uint64_t            against_at;	/* its samples when it was first seen */
	bool                ahead;	/* its counts are a full profile that
					 * nobody has collected */
	bool                led;	/* its loops lead to continuations */
	enum cof_plan       plan;	/* asked for last */
	uint32_t            tries;	/* with that plan */
	uint32_t            not_now;	/* times that no frame came */
	bool                looks_out;	/* the host does, for one */
	uint32_t            cached;	/* times its loops led to cached ones */
	bool                declined;	/* the host declined it */
};

struct cof_stuck_frames {
	struct cof_stuck_frame *first;
	uint32_t                n;
};

/* Watch `version` from now on; without memory it is not watched. */
void cof_stuck_frames_add(struct cof *cof, struct cof_stuck_frames *frames,
			  struct cof_version *version);

/* The record of `version`. NULL: it is not watched. */
struct cof_stuck_frame *
cof_stuck_frames_find(const struct cof_stuck_frames *frames,
		      const struct cof_version *version);

/* Drop versions whose code is gone; their records are freed in a later turn. */
void cof_stuck_frames_drop_gone(struct cof *cof,
				struct cof_stuck_frames *frames);

/* Stop watching the first version. */
void cof_stuck_frames_drop_first(struct cof *cof,
				 struct cof_stuck_frames *frames);

/* Once per generation: evaluate samples and entries since the last look. */
void cof_stuck_frame_look(struct cof *cof, struct cof_stuck_frame *frame);

/* Discard what was seen so far. */
void cof_stuck_frame_forget(struct cof_stuck_frame *frame);

/* Is it current while its loops lead to continuations, without being
 * vacated? */
bool cof_stuck_frame_is_back(const struct cof_stuck_frame *frame);

/* All samples of the version. */
uint64_t cof_stuck_frame_samples(const struct cof_version *version);

static inline struct cof_version *
cof_stuck_frame_current(struct cof_method *method)
{
	return atomic_load_explicit(&method->current, memory_order_acquire);
}
