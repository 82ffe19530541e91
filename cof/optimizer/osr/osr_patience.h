/*
 * osr_patience.h - how long frames may stay in a replaced version
 *
 * Pure. A frame that is about to return needs no continuation. One that stays
 * gains by it at once. A method has such a frame if samples fall in its old
 * version, and hardly any in the new one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What P/O knows of frames in an old version, and of the new one. */
struct cof_osr_wait {
	uint32_t generations;	/* with samples in the old one, in a row */
	uint32_t need;		/* option osr_generations */
	uint64_t late;		/* samples in the old one meanwhile */
	uint64_t entered;	/* samples in the new one, ever */
	bool     again;		/* the host was asked before */
	uint32_t not_now;	/* so often no frame came round */
	bool     on_trial;	/* old against new: each is current by turns */
	bool     waited_for;	/* the trial saw that they stay for long */
};

/* Do so few samples in the new version, of `late` in the old one meanwhile,
 * show that hardly a call enters it? */
bool cof_osr_is_hardly_entered(uint64_t late, uint64_t entered);

/* Is it time to ask the host for continuations? */
bool cof_osr_patience_ends(const struct cof_osr_wait *wait);
