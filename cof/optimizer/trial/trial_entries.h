/*
 * trial_entries.h - whose entries a trial counts
 *
 *	member                           callers that are counted
 *	called by another, or by itself  direct ones, from outside the trial
 *	no member calls it               all: of native code by the stub too
 *
 * "Calls": it is the callee of a site, or inlined, in A or B of a member. One
 * of the two versions may call such a member directly, and the other by the
 * stub, so the stub is not counted. But a unit's other callers are native code
 * as a rule, and come by the stubs.
 *
 * Any member's entries say how fast the program goes on. So if all members'
 * cost more than the budget carries (trial_budget.h), those that are entered
 * most are not counted any more, as long as the others' are enough.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_trial;

/* The trial begins: all members are counted, as above. */
void cof_trial_entries_choose(struct cof_trial *trial);

/*
 * On: callers go by counting thunks from now on, and entries are counted; does
 * nothing if there is no memory for the thunks. Off: callers go straight to the
 * version whose turn it is.
 */
void cof_trial_entries_count(struct cof_trial *trial, bool on);

/* A slice begins. */
void cof_trial_entries_begin(struct cof_trial *trial);

/* The slice has ended. `affordable`: so many entries a slice like it may count.
 * Returns how many were. */
uint64_t cof_trial_entries_end(struct cof_trial *trial, double affordable);

/* A block has ended. Leaves out members that cost too much from now on, and
 * forgets what their entries showed. */
void cof_trial_entries_spare(struct cof_trial *trial);
