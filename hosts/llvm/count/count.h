/*
 * count.h - instrumented versions, and what they counted
 *
 *	instrument --> instrumented version --> collect --> method's profile
 *	               runs: counters in each
 *	               thread's block (profile/counter_shards.h)
 *
 * The code is the method's body as it stands in the file, with increments. It
 * counts the chords of the flow graph (ir/graph.h), and at sites (ir/body.h)
 * the most frequent values.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "cofl.h"
#include "ir/body.h"
#include "ir/clone.h"

struct cofl_ir;

/* Build an instrumented version. Thread: the holder of ir->copy's lock. */
int  cofl_count_build(struct cofl_ir *ir, const int *stop,
		      struct cof_version_desc *out, char *why,
		      size_t why_bytes);

/* What the method's latest instrumented version counted so far. Any thread. */
uint64_t cofl_count_counted(struct cofl_method *method);

/* Make that the method's profile. 0, or -COF_E_STATE: nothing was counted. Any
 * thread. */
int  cofl_count_collect(struct cofl_method *method);

/*
 * The profile that collect() would make, as bytes (cofl_profile_save()), for a
 * run that ends before enough is counted. 0: no version counts, or hardly
 * anything was counted. Any thread.
 */
size_t cofl_count_save(struct cofl_method *method, void *bytes, size_t room);

/*
 * A continuation uses the counters of the method's latest instrumented version.
 * share(): for version->counting, or for unshare(). NULL: there is none.
 */
struct cofl_counting *cofl_count_share(struct cofl_method *method);
void cofl_count_unshare(struct cofl_counting *counting);

/* As cofl_insert(). Thread: the holder of the copy's lock. */
void cofl_count_insert(struct cofl_counting *counting, struct cofl_clone *unit,
		       LLVMValueRef f, const struct cofl_body *body);

/* A version is discarded: it does not count any more. Any thread. */
void cofl_count_end(struct cofl_version *version);
