/*
 * counting.h - what an instrumented version counts, and where
 *
 *	instrumented version --> counters in each --> collect.h --> the method's
 *	runs                     thread's block                     profile
 *	                         (counter_shards.h)
 *
 * The version owns it, and its continuations share it. The method points to
 * that of its latest instrumented version, under host->profile_lock.
 *
 * Thread: any. Takes that lock.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "cofl.h"
#include "profile/counters.h"
#include "profile/graph.h"
#include "profile/method_profile.h"

/* The symbol of a method's instrumented code. */
#define COFL_COUNTING_NAME_BYTES 512
static inline void cofl_counting_name(char to[COFL_COUNTING_NAME_BYTES],
				      const char *method)
{
	snprintf(to, COFL_COUNTING_NAME_BYTES, "%.500s.count", method);
}

struct cofl_counting {
	struct cofl_method  *method;
	struct cofl_graph    graph;
	struct cofl_outline  outline;
	uint8_t             *kind;	/* enum cofl_site_kind, by site */
	struct cofl_counters counters;
	uint32_t             offset;	/* in each thread's block */
	uint64_t             since_ns;

	/* [profile_lock] */
	uint64_t             asked_ns;	/* when libcof last asked how much was
					 * counted; 0: not yet */
	uint32_t             shares;	/* other versions with these counters */
};

/* Take what was found in the body, and counters for it, at `offset` of each
 * thread's block. All are the caller's no more. Never NULL. */
struct cofl_counting *cofl_counting_new(struct cofl_method *method,
					struct cofl_graph *graph,
					const struct cofl_outline *outline,
					uint8_t *kind,
					struct cofl_counters *counters,
					uint32_t offset);

/* NULL is fine. No code may count there any more. */
void cofl_counting_free(struct cofl_counting *counting);

/* The loaded version counts for the method from now on, and is the owner. */
void cofl_counting_begin(struct cofl_counting *counting,
			 struct cofl_version *version);

/*
 * A continuation uses the counters of the method's latest instrumented version.
 * share(): for attach(), once it is loaded, or for unshare(). NULL: there is
 * none.
 */
struct cofl_counting *cofl_counting_share(struct cofl_method *method);
void cofl_counting_unshare(struct cofl_counting *counting);
void cofl_counting_attach(struct cofl_counting *counting,
			  struct cofl_version *version);

/* The version is discarded: it does not count any more. */
void cofl_counting_end(struct cofl_version *version);
