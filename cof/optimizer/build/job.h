/*
 * job.h - what a worker does with one element of the queue
 *
 *	PLAN       gather, build
 *	COUNTING   gather, instrument
 *	OSR        gather, osr
 *	PROFILED   for each of the unit: gather, collect;
 *	           then build_group() for those that have a profile, or build()
 *	           for each if there is one only, or no group wanted
 *
 * Thread: a worker, under cof_compile_enter(). Nobody else touches the build, nor
 * has the methods' IR, until it is given back.
 */
#ifndef COF_OPTIMIZER_BUILD_JOB_H
#define COF_OPTIMIZER_BUILD_JOB_H

#include <stdint.h>

struct cof;
struct cof_build;

/* Fills in what queue.h says is the worker's, of the unit's others too. */
void cof_job_run(struct cof *cof, struct cof_build *build, const int *stop);

/* CPU time it took, all of the unit. */
uint64_t cof_job_ns(const struct cof_build *build);

#endif /* COF_OPTIMIZER_BUILD_JOB_H */
