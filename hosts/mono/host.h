/*
 * host.h - what the files of the Mono host share
 *
 *	sample in no version --> locate.c --> method.c     a method, version 0
 *	picked ------> estimate.c <-- calls.c, inlining.c  worth it?
 *	  |
 *	gather ------> copy.c ------> compile.c            version 0 again, and
 *	  |               \---------> entry.c, world.c     its entry leads there
 *	instrument --> entries.c, profile.c                how often is it entered?
 *	build -------> compile.c <-- inlining.c            Mono's compiler, steered
 *
 * Mono owns methods, IR and code; libcof knows of those that were sampled. All of
 * Mono that is not public is in internals.h.
 *
 * The lock `compiling` may not be waited for by a thread that Mono takes for
 * running managed code, or a collection would wait for its holder: take it, then
 * cofm_enter().
 */
#ifndef COFM_HOST_H
#define COFM_HOST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mono/metadata/object.h>
#include <mono/metadata/profiler.h>

#include "cof.h"

/* Why a method stays as Mono compiled it; names and meaning are in method.c. */
enum cofm_declined {
	COFM_ACCEPTED,
	COFM_WRAPPER,
	COFM_SHARED,
	COFM_SHORT,
	COFM_LOOP,
	COFM_FAR,
	COFM_FAILED,
	COFM_EARLY,		/* so far; not kept in a method */
	COFM_EMITTED,
	COFM_DECLINED_COUNT
};

/* Mono maps its code below 2 GiB: in reach of all of that is what lies beside. */
#define COFM_NEAR ((uintptr_t)0x40000000)

#define COFM_BUCKETS 1024u	/* of known methods, by MonoMethod */

/* A call in a method's IL that always leads to one method. */
struct cofm_call {
	MonoMethod *callee;
	uint32_t    size;	/* of its IL */
	uint32_t    sites;	/* where it is called */
};

/* How often a method is entered; entries.h. */
struct cofm_entries {
	uint64_t *count;	/* in libcof's near data; workers; NULL: not yet */
	uint64_t  began_ns;
	uint64_t  seen;		/* P/O */
	uint64_t  per_second;	/* P/O writes, any reads */
};

struct cofm_profile;

struct cofm_method {
	struct cofm_method *next;	/* of its bucket; constant */
	struct cofm        *host;
	MonoMethod         *mono;
	MonoMethod         *instance;	/* what the compiler is given; shared.h */
	struct cof_method  *method;
	char               *name;	/* until it is added */

	/* Version 0, as Mono compiled it. Constant. */
	uint8_t *start;
	uint32_t size;
	bool     from_image;	/* compiled ahead of time */

	_Atomic uint32_t declined;	/* enum cofm_declined */
	_Atomic bool     too_early;	/* it failed for classes not initialized */
	_Atomic(void *)  points;	/* which Mono keeps, if of ours; lines.c */
	_Atomic bool     redirected;	/* its entry leads to the stub; workers */
	const uint8_t   *copy;		/* version 0 again, then; workers */

	struct cofm_entries  entries;
	struct cofm_profile *profile;	/* profile.c; NULL: none */

	/* Of its IL. Constant. */
	struct cofm_call *call;
	uint32_t          n_calls;
	bool              has_calls;	/* of what is long for inlining */
	bool              has_arrays, has_loops;
	uint64_t          shape;	/* a hash of it */
};

struct cofm {
	struct cof      *cof;
	MonoDomain      *domain;	/* the root one; NULL before it runs */
	_Atomic bool     running;	/* between Mono's start and shutdown */
	uint32_t         opt;		/* what Mono itself compiles with, */
	uint32_t         abcrem;	/* and bits of it, that plans change */
	bool             takes_all;	/* mode pgo: what Mono compiles is known */
	uint8_t          identity[32];	/* of the program; cof_host has it */
	size_t           identity_bytes;
	MonoProfilerHandle profiler;

	pthread_mutex_t  compiling;	/* flags of methods are changed meanwhile */
	_Atomic(struct cofm_method *) bucket[COFM_BUCKETS];	/* method.c */
	_Atomic uint64_t dynamic, foreign;	/* samples in no method of ours */
};

#endif /* COFM_HOST_H */
