/*
 * job.h - what a worker does with one element of the queue
 *
 *	PLAN          gather, build
 *	INSTRUMENTED  gather, instrument
 *	OSR           gather, osr
 *	PROFILED      for each of the unit: gather, collect; then build_unit()
 *	              for all that have a profile, or build() for each if there
 *	              is only one or the host wants no unit
 *
 * Thread: a worker, under cof_compile_enter(). It alone uses the build and the
 * methods' IR until it gives the build back.
 */
#pragma once

#include <stdint.h>

struct cof;
struct cof_build;

/*
 * Do the build and fill in the worker's fields (build.h), for the whole unit.
 * A nonzero *stop asks the host to end early.
 */
void cof_job_run(struct cof *cof, struct cof_build *build, const int *stop);

/* CPU time in ns that the whole unit took. */
uint64_t cof_job_ns(const struct cof_build *build);
