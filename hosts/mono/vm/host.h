/*
 * host.h - what the files of the Mono host share
 *
 *	a sample in no version   method/locate: add the method, with version 0
 *	estimate()               compile/estimate, by method/calls and
 *	                         compile/inlining: is it worth a build?
 *	gather()                 compile/compile: compile version 0 again
 *	                         compile/entry, vm/stop_world: lead its entry to
 *	                         the stub
 *	instrument(), collect()  compile/entries, compile/call_profile: how
 *	                         often is it entered?
 *	build()                  compile/compile, steered by compile/inlining
 *
 * Mono owns methods, IR and code. Libcof knows the methods that were sampled.
 * All that is used of Mono and not public is in internals.h. A method that runs
 * in several application domains has a record for each (vm/domains.h).
 *
 * A thread that Mono counts as running managed code may not wait for the lock
 * `compiling`: a collection would wait for that thread, and the holder of the
 * lock for the collection. So take the lock first, then call
 * cofm_attach_enter(). The same holds for cofm_domains_hold(), which comes
 * before that lock.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mono/metadata/object.h>
#include <mono/metadata/profiler.h>

#include "cof.h"
#include "vm/domains.h"

/* Why a method stays as Mono compiled it; names and meaning are in
 * method/method.c. */
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

/* Mono maps its code below 2 GiB. All of it reaches code that lies beside
 * it. */
#define COFM_NEAR ((uintptr_t)0x40000000)

#define COFM_BUCKETS 1024u	/* of known methods, by MonoMethod */

/* The calls in a method's IL that always lead to the same method. */
struct cofm_call {
	MonoMethod *callee;
	uint32_t    size;	/* bytes of the callee's IL */
	uint32_t    sites;	/* calls of it in the caller's IL */
};

/* How often a method is entered; compile/entries.h. */
struct cofm_entries {
	uint64_t *count;	/* in libcof's near data; workers; NULL: none
				 * yet */
	uint64_t  began_ns;
	uint64_t  seen;		/* P/O */
	uint64_t  per_second;	/* P/O writes, any thread reads */
};

struct cofm_call_profile;

/*
 * A version's .data for libcof. Of a version 0 or its copy it is this alone, or
 * NULL in the first domain; compile/callbacks.c has that of others.
 */
struct cofm_version {
	struct cofm_domain *domain;
	bool                is_monos;	/* this alone, from malloc(3) */
};

/*
 * Written while there is no domain. Others look at it while it is live
 * (cofm_method_is_live()). A method whose domain was unloaded may become
 * another's, with the same name and IL.
 */
struct cofm_method {
	struct cofm_method *next;	/* of its bucket, or of those not live;
					 * method/method.c */
	struct cofm        *host;
	_Atomic(struct cofm_domain *) domain;	/* NULL: it was unloaded */
	MonoMethod         *mono;
	MonoMethod         *instance;	/* what the compiler is given
					 * (method/shared.h) */
	struct cof_method  *method;
	char               *name;	/* until it is added */

	/* Version 0, as Mono compiled it. */
	uint8_t *start;
	uint32_t size;
	bool     from_image;	/* compiled ahead of time */

	_Atomic uint32_t declined;	/* enum cofm_declined */
	_Atomic bool     too_early;	/* compilation failed, since a class was
					 * not initialized */
	_Atomic(void *)  points;	/* sequence points of ours that Mono
					 * keeps; compile/lines.c */
	_Atomic bool     redirected;	/* its entry leads to the stub;
					 * workers */
	const uint8_t   *copy;		/* version 0, compiled again; workers;
					 * set before `redirected` */

	struct cofm_entries  entries;
	struct cofm_call_profile *profile;	/* NULL: none */
	_Atomic uint32_t     lives;	/* that have ended */

	/* From its IL. */
	struct cofm_call *call;
	uint32_t          n_calls;
	bool              has_calls;	/* of callees that Mono inlines only if
					 * it is told to */
	uint64_t          shape;	/* a hash of the IL */
};

struct cofm {
	struct cof      *cof;
	MonoDomain      *domain;	/* the root one; NULL before it runs */
	_Atomic bool     running;	/* between Mono's start and shutdown */
	uint32_t         opt;		/* optimizations that Mono itself
					 * compiles with */
	bool             takes_all;	/* mode pgo: libcof knows every method
					 * that Mono compiles */
	bool             keeps_frames;	/* stack traces have all frames that
					 * Mono's own code has; set before
					 * `running` */
	uint8_t          identity[32];	/* of the program; for cof_host */
	size_t           identity_bytes;
	MonoProfilerHandle profiler;

	pthread_mutex_t  compiling;	/* protects flags of methods, which
					 * change during a compilation */
	struct cofm_method *bucket[COFM_BUCKETS];	/* method/method.c */
	struct cofm_method *not_live;	/* method/method.c */
	_Atomic uint64_t dynamic, foreign;	/* samples outside the methods
						 * that libcof knows */
};
