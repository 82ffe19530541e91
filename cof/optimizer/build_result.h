/*
 * build_result.h - what becomes of what a worker gave back
 *
 *	PLAN       DONE  prepared, installed over the version it was built for,
 *	                 on trial (optimizer/trial/audit.h)
 *	COUNTING   DONE  the same, but that version is only parked: the method
 *	                 counts from here on (optimizer/instrumented/instrumented.h)
 *	PROFILED   DONE  as PLAN, each of the unit by itself
 *	           else  counted, and the method left alone for a while
 *
 * Thread: P/O; or who stopped it, for the last function.
 */
#ifndef COF_OPTIMIZER_BUILD_RESULT_H
#define COF_OPTIMIZER_BUILD_RESULT_H

#include <stdbool.h>

struct cof;
struct cof_build;
struct cof_picker;

/*
 * Take the build, all of its unit: it is freed. Returns whether something was
 * patched, so that the batch needs a barrier.
 */
bool cof_build_result_take(struct cof *cof, struct cof_picker *picker,
		      struct cof_build *build);

/* Could not be queued: no memory. It is freed, and counted. */
void cof_build_result_unqueued(struct cof *cof, struct cof_picker *picker,
			  struct cof_build *build);

/* libcof was stopped: what it built, if `done`, is discarded. */
void cof_build_result_stopped(struct cof *cof, struct cof_picker *picker,
			 struct cof_build *build, bool done);

#endif /* COF_OPTIMIZER_BUILD_RESULT_H */
