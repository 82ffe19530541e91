/*
 * host.h - the LLVM host's own state
 *
 *	bitcode --> copy ----> unit ----> object ----> loader ----> version
 *	            names,     one body,  LLVM's       addresses,   libcof's
 *	            bodies     cloned     code         call sites
 *
 * Locks, in the order they may nest: a copy's lock, then the loader's lock.
 */
#ifndef COFL_HOST_H
#define COFL_HOST_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "cof.h"
#include "symbols.h"

struct cofl_copy;

/* A function of the program; .data of its cof_method. */
struct cofl_method {
	struct cofl       *host;
	struct cof_method *method;
	const char        *name;	/* in the module and the symbol table */
	uint32_t           number;	/* in every copy */
	_Atomic uint32_t   n_instructions; /* 0: body not read so far */
	_Atomic bool       compiled;	/* has a version */
	_Atomic bool       keeps_labels; /* compiled once: it jumps to labels
					 * an earlier call may have kept */
	bool               pinned;	/* compiled once, with data that holds
					 * addresses of its labels */
};

/* What belongs to one version; .data of its cof_version. */
struct cofl_version {
	void                 *eh_frame;	/* registered; NULL: none */
	struct cof_call_site *calls;
	size_t                n_calls;
};

struct cofl {
	struct cof         *cof;
	LLVMMemoryBufferRef bitcode;
	struct cofl_method *method;	/* by number */
	uint32_t            n_methods;
	struct cofl_copy   *copy;	/* the guest threads' */
	pthread_mutex_t     loader_lock;
	struct cofl_symbols symbols;	/* loader_lock */
	char              **start_list;	/* names of constructors, in the order
					 * they run, NULL at the end */
	char              **end_list;	/* of destructors, the last one first */
	void              (*log)(const char *line);

	/* Copies of the build workers, made when first needed. */
	pthread_mutex_t     pool_lock;
	struct cofl_copy  **pool;
	uint32_t            n_pool;
};

#endif /* COFL_HOST_H */
