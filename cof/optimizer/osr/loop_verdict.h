/*
 * loop_verdict.h - what a trial of loops says of its method
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

#include "code/trial_record.h"
#include "optimizer/osr/loop_turns.h"

struct cof_method;

/* `tried`: there were two sides; `found`: one of them was faster. */
enum cof_audit_state cof_loop_verdict_state(bool tried, bool found,
					    bool keeps_b);

/* The speed to believe of what is kept, over what has no profile. Where nothing
 * was found it is at least 1, and of more no more than the error allows. */
double cof_loop_verdict_speed(bool found, bool keeps_b,
			      const struct cof_measure *measure);

/* The run may end before there is a verdict: tell what is known so far. What an
 * earlier trial of the method found stands. */
void cof_loop_verdict_so_far(struct cof_method *method,
			     const struct cof_measure *measure);

/* Option stress: any verdict, at any time. */
enum cof_loop_act cof_loop_verdict_stressed(enum cof_loop_act act,
					    uint64_t random);
