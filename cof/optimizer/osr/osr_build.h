/*
 * osr_build.h - what a worker is asked for
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

#include "cof.h"

struct cof;
struct cof_build;
struct cof_version;

/* A build of kind OSR, by osr_try() if `tried`. Its method is marked as pending
 * and `from` as held. NULL: no memory, which is counted. */
struct cof_build *cof_osr_build_new(struct cof *cof, struct cof_version *from,
				    enum cof_plan plan, bool tried);

/* It has ended, in whatever way. */
void cof_osr_build_ended(struct cof_build *build);

/* Counts a build without a result. */
void cof_osr_build_count(struct cof *cof, const struct cof_build *build);
