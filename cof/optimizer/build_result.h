/*
 * build_result.h - what P/O does with the result of a build
 *
 *	PLAN          DONE  prepare it, install it over the version it was built
 *	                    for, and put it on trial (trial/audit.h)
 *	INSTRUMENTED  DONE  the same, but that version is only parked: the
 *	                    method counts from here on (instrumented.h)
 *	PROFILED      DONE  as PLAN, each method of the unit by itself
 *	OSR           DONE  keep the continuation (osr/osr.h)
 *	              else  count it, and leave the method alone for a while
 *
 * Thread: P/O. cof_build_result_stopped(): the thread that stopped P/O.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_build;
struct cof_picker;

/*
 * Take the result of a build and of its whole unit, and free the builds.
 * Returns whether something was patched; then the caller owes a barrier.
 */
bool cof_build_result_take(struct cof *cof, struct cof_picker *picker,
			   struct cof_build *build);

/* The build could not be queued for lack of memory: count it and free it. */
void cof_build_result_unqueued(struct cof *cof, struct cof_picker *picker,
			       struct cof_build *build);

/*
 * libcof was stopped: count the build as STOPPED and free it. `done`: it has
 * ended, so its code is discarded. A done OSR build is kept as usual.
 */
void cof_build_result_stopped(struct cof *cof, struct cof_picker *picker,
			      struct cof_build *build, bool done);
