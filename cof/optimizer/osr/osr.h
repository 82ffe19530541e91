/*
 * osr.h - who stays in code that was replaced, and leading them out of it
 *
 *	replaced  ---samples, generation after generation---> host->osr()
 *	   ^                                                      |
 *	   +-- current again: undone            continuations <---+
 *	                                        kept until nobody can come from
 *	                                        what was replaced any more
 *
 * A new version is for those who come in. A thread in a loop that does not end
 * stays where it is: then the version that was replaced goes on being sampled.
 * The host is asked to build continuations of its loops, the same way as the
 * current version was built, and to lead its frames there. So too for the
 * continuations, when there is something better again.
 *
 * Of a version that counts how often it is entered one can tell while it is
 * current: hot and not entered for a generation, it is stuck in a loop, and no
 * version for those who come in would help. Its continuations need not wait for
 * one.
 *
 * A version with continuations is watched until its code is gone; they are
 * retired then.
 *
 * Thread: P/O, if nothing else is said.
 */
#ifndef COF_OPTIMIZER_OSR_OSR_H
#define COF_OPTIMIZER_OSR_OSR_H

#include <stdbool.h>
#include <stdint.h>

#include "optimizer/osr/stuck_frames.h"

struct cof;
struct cof_build;
struct cof_picker;
struct cof_version;

struct cof_osr {
	struct cof_stuck_frames frames;
	uint64_t         generation;	/* of the last look */
};

/* `version` was replaced, or is hot and counts how often it is entered: watch it,
 * until its code is gone. NULL, and what is watched, are fine. */
void cof_osr_watch(struct cof *cof, struct cof_version *version);

/* PRE says that `version` is hot. */
void cof_osr_hot(struct cof *cof, struct cof_version *version);

/*
 * Once per turn, before reclaim: look at what is watched, once per generation.
 * Returns a build to be queued, its method marked as building, or NULL: there is
 * none. To be called until then.
 */
struct cof_build *cof_osr_turn(struct cof *cof, struct cof_osr *osr);

/* A build of kind OSR has come to an end. The caller frees it. */
void cof_osr_take(struct cof *cof, struct cof_osr *osr, struct cof_build *build);

/* It was never queued, or libcof was stopped first; `done`: it has ended. */
void cof_osr_unqueued(struct cof *cof, struct cof_osr *osr,
		      struct cof_build *build);
void cof_osr_stopped(struct cof *cof, struct cof_osr *osr,
		     struct cof_build *build, bool done);

/* P/O has ended, and the caller plays its part: nothing stays parked. */
void cof_osr_stop(struct cof *cof, struct cof_osr *osr);

/* Under the code lock: nobody is in `version` any more, nor comes from there. */
void cof_osr_gone(struct cof *cof, struct cof_version *version);

#endif /* COF_OPTIMIZER_OSR_OSR_H */
