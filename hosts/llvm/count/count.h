/*
 * count.h - versions that count how they run, and what was counted
 *
 *	instrument ---> counting version runs ---> collect ---> method's profile
 *	                counters in each thread's block (profile/counter_shards.h)
 *
 * Counted are the chords of the flow graph (ir/graph.h), and at sites (ir/body.h) the
 * values seen most. The code is the method's body as it stands in the file, with
 * increments in it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "ir/body.h"
#include "compile/build.h"
#include "program/host.h"
#include "profile/method_profile.h"

/* Build a counting version. Thread: the holder of ir->copy's lock. */
int  cofl_count_build(struct cofl_ir *ir, const int *stop,
		      struct cof_version_desc *out, char *why, size_t why_bytes);

/* What the method's latest counting version counted so far. Any thread. */
uint64_t cofl_count_counted(struct cofl_method *method);

/* Make that the method's profile. 0, or -COF_E_STATE: nothing. Any thread. */
int  cofl_count_collect(struct cofl_method *method);

/* What that would be, as bytes (cofl_profile_save()): for a run that ends before
 * there is enough. 0: nobody counts, or hardly anything was counted. Any thread. */
size_t cofl_count_save(struct cofl_method *method, void *bytes, size_t room);

/*
 * A continuation counts in the place of the method's latest counting version:
 * what that has is taken, for version->counting or to be given back. NULL: there
 * is none.
 */
struct cofl_counting *cofl_count_share(struct cofl_method *method);
void cofl_count_unshare(struct cofl_counting *counting);

/* As cofl_insert(). Thread: the holder of the copy's lock. */
void cofl_count_insert(struct cofl_counting *counting, struct cofl_clone *unit,
		       LLVMValueRef f, const struct cofl_body *body);

/* A version is discarded: nobody counts there any more. Any thread. */
void cofl_count_end(struct cofl_version *version);
