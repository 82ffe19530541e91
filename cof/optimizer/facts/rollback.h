/*
 * rollback.h - a plan that turned out slower for a method is put off
 *
 * For option backoff_generations, then twice as long, and so on; after
 * audit_bans rollbacks for good.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

#include "cof.h"

struct cof;
struct cof_method;

/* A version of that plan, or its continuation, was taken back. */
void cof_rollback_note(struct cof *cof, struct cof_method *method,
		       enum cof_plan plan);

/* Is the plan put off for the method now, or for good? */
bool cof_rollback_bans(const struct cof_method *method, enum cof_plan plan);
