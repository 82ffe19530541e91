/*
 * osr.h - on-stack replacement: lead frames out of replaced versions
 *
 *	replaced  ---samples, generation after generation---> host->osr()
 *	   ^                                                      |
 *	   +-- current again: undone            continuations <---+
 *	                                        parked until no frame can come
 *	                                        from the replaced version
 *
 * New calls enter a new version, but a thread in an endless loop stays in the
 * replaced one, which goes on being sampled. P/O then asks the host to build
 * continuations of its loops with the plan of the current version, and to lead
 * the frames there. The same holds for continuations, once there is something
 * better again.
 *
 * Frames that count leave as soon as their profile is full: P/O asks for a
 * continuation with it before the version is built, which no call may ever
 * enter.
 *
 * A version that counts its entries can be seen to be stuck while it is
 * current: it is hot, and was not entered for a generation. A new version would
 * not help its frames, so its continuations do not wait for one.
 *
 * What is built with a profile for frames of which hardly a call enters the
 * current version is on trial in their loops (loop_trial.h).
 *
 * P/O watches a version with continuations until its code is gone, and then
 * retires them.
 *
 * Thread: P/O, unless a function says otherwise.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "optimizer/osr/loop_trial.h"
#include "optimizer/osr/stuck_frames.h"

struct cof;
struct cof_build;
struct cof_version;

struct cof_osr {
	struct cof_stuck_frames frames;
	struct cof_loop_trials  trials;
	uint64_t                generation;	/* of the last look */
};

/* `version` was replaced, or is hot and counts its entries: watch it until its
 * code is gone. Does nothing for NULL and for a watched version. */
void cof_osr_watch(struct cof *cof, struct cof_version *version);

/*
 * `version` was replaced by one that an earlier run built: lead its frames into
 * that run's continuations, if the host has cached any. The method's frame is
 * often one that stays, and no build is needed to lead it out.
 */
void cof_osr_cached(struct cof *cof, struct cof_osr *osr,
		    struct cof_version *version);

/* `version` is current for a trial's turn: lead no more of its frames out. */
void cof_osr_back(struct cof *cof, struct cof_osr *osr,
		  struct cof_version *version);

/* PRE has forecast `version` as hot. */
void cof_osr_hot(struct cof *cof, struct cof_version *version);

/* ns until a turn of a trial of loops is over; UINT64_MAX: there is none. */
uint64_t cof_osr_due_ns(const struct cof_osr *osr);

/*
 * Once per turn, before reclaim: look at the watched versions, once per
 * generation, and at trials of loops. Returns a build to queue, its method
 * marked as pending. NULL: none. Call it until it returns NULL.
 */
struct cof_build *cof_osr_turn(struct cof *cof, struct cof_osr *osr);

/* A build of kind OSR has ended. The caller frees it. */
void cof_osr_take(struct cof *cof, struct cof_osr *osr,
		  struct cof_build *build);

/* The build was never queued, or libcof was stopped; `done`: it has ended. */
void cof_osr_unqueued(struct cof *cof, struct cof_osr *osr,
		      struct cof_build *build);
void cof_osr_stopped(struct cof *cof, struct cof_osr *osr,
		     struct cof_build *build, bool done);

/* P/O has ended and the caller acts as P/O: leave no continuation parked. */
void cof_osr_stop(struct cof *cof, struct cof_osr *osr);

/* No thread is in `version` any more, or can come from it. [code] */
void cof_osr_gone(struct cof *cof, struct cof_version *version);
