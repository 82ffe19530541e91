/*
 * host.h - what the files of the Mono host share
 *
 *	sample in no version --> locate.c --> method.c     a method, version 0
 *	picked ------> estimate.c <-- calls.c              worth it? its IL says
 *	  |
 *	gather ------> copy.c ------> compile.c            version 0 again, and
 *	  |               \---------> entry.c, world.c     its entry leads there
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

/* Why a method stays as Mono compiled it; names and meaning are in declined.c. */
enum cofm_declined {
	COFM_ACCEPTED,
	COFM_WRAPPER,
	COFM_DYNAMIC,
	COFM_SHORT,
	COFM_FAR,
	COFM_FAILED,
	COFM_DECLINED_COUNT
};

/* Mono maps its code below 2 GiB: in reach of all of that is what lies beside. */
#define COFM_NEAR ((uintptr_t)0x40000000)

#define COFM_BUCKETS 1024u	/* of known methods, by MonoMethod */

/* A call in a method's IL that always leads to one method. */
struct cofm_call {
	MonoMethod *callee;
	uint32_t    size;	/* of its IL */
};

struct cofm_method {
	struct cofm_method *next;	/* of its bucket; constant */
	struct cofm        *host;
	MonoMethod         *mono;
	struct cof_method  *method;

	/* Version 0, as Mono compiled it. Constant. */
	uint8_t *start;
	uint32_t size;

	_Atomic uint32_t declined;	/* enum cofm_declined */
	bool             redirected;	/* its entry leads to the stub; workers */

	/* Of its IL. Constant. */
	struct cofm_call *call;
	uint32_t          n_calls;
	bool              has_arrays, has_loops;
	uint64_t          shape;	/* a hash of it */
};

struct cofm {
	struct cof      *cof;
	MonoDomain      *domain;	/* the root one; NULL before it runs */
	_Atomic bool     running;	/* between Mono's start and shutdown */
	uint32_t         opt;		/* what Mono itself compiles with, */
	uint32_t         abcrem;	/* and bits of it, that plans change */
	uint8_t          identity[32];	/* of the program; cof_host has it */
	size_t           identity_bytes;
	MonoProfilerHandle profiler;

	pthread_mutex_t  compiling;	/* flags of methods are changed meanwhile */
	_Atomic(struct cofm_method *) bucket[COFM_BUCKETS];	/* SAM adds */
};

#endif /* COFM_HOST_H */
