/*
 * cofl.h - the state of the LLVM host
 *
 *	bitcode --> copy ----> unit ----> object ----> loader ----> version
 *	            names,     one body,  LLVM's       addresses,   libcof's
 *	            bodies     cloned     code         call sites
 *
 * LLVM is in a module that is loaded when something is to be built
 * (program/module.h). Both sides share this header, so it needs none of LLVM's.
 *
 * Locks, in the order in which they nest:
 *
 *	the module's lock
 *	the pool's lock
 *	a copy's lock
 *	the loader's lock, or the profiles' lock
 *	the threads' lock (profile/counter_shards.h)
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cof.h"
#include "base/hash.h"
#include "link/symbols.h"
#include "support/map.h"

struct cofl_copy;
struct cofl_osr_points;
struct cofl_counting;
struct cofl_version_cache_host;
struct cofl_module;
struct cofl_numbering;
struct cofl_profile;
struct LLVMOpaqueMemoryBuffer;	/* *LLVMMemoryBufferRef */

/* A function of the program; .data of its cof_method. */
struct cofl_method {
	struct cofl       *host;
	struct cof_method *method;
	const char        *name;	/* in the module and the symbol table */
	uintptr_t          address;	/* what pointers to it hold */
	uint32_t           number;	/* in every copy */
	_Atomic uint32_t   n_instructions; /* 0: body not read so far */
	uint32_t           native_bytes;	/* of its code in the program */
	_Atomic bool       added;	/* libcof has it */
	/* Not built: it jumps to labels that earlier calls may have stored. */
	_Atomic bool       keeps_blockaddresses;
	_Atomic bool       pinned;	/* not built: data has addresses of its
					 * labels, or its entry cannot be
					 * redirected */
	bool               written;	/* the program may write to its native
					 * code (native/methods.h) */
	bool               redirected;	/* its native entry leads to its second
					 * stub (native/methods.h) */
	_Atomic uintptr_t  in_vtables;	/* what slots of vtables hold in place
					 * of the address, or held once; 0:
					 * nothing yet */
	bool               leads_vtables; /* they hold it now */
	struct cofl_symbol *slot;	/* what versions compare with what such
					 * slots hold; NULL: none does */
	_Atomic bool       has_profile;

	/* [profile_lock] */
	struct cofl_profile  *profile;	/* NULL: none */
	struct cofl_counting *counting;	/* of the latest instrumented version;
					 * NULL: none, or collected */
	void                 *cached_profile; /* of the cached version
					 * (version_cache/cached_profile.h);
					 * NULL: none, or it is ->profile */
	size_t                cached_profile_bytes;
};

/* What belongs to one version; .data of its cof_version. */
struct cofl_version {
	void                 *eh_frame;	/* registered; NULL: none */
	struct cof_call_site *calls;
	size_t                n_calls;
	bool                  is_native;	/* the executable's code, and
					 * never freed */
	struct cofl_counting *counting;	/* count/count.h; NULL: it is not
					 * instrumented */
	struct cof_method   **inlined;	/* desc.inlined; NULL: none */
	const void           *records;	/* section COFL_OSR_POINTS_SECTION,
					 * if any */
	size_t                record_bytes;
	struct cofl_process_words *words; /* where to write its section
					   * COFL_PROCESS_WORDS_SECTION; NULL:
					   * it has none */
	struct cofl_osr_points *points;	/* link/osr_points.h; NULL: none */
	void *const          *continuations; /* it is these, by loop; NULL: it
					      * is none, or lasts */
	/* version_cache/version_cache_host.h */
	uint64_t              cached_id;	/* 0: it is not in the cache */
	uint8_t               profile[COF_HASH_BYTES];	/* of that of a cached
							 * one */
	struct {
		uint32_t flags, permille, over, progress;
	} verdict;		/* as in version_cache.h; P/O's */
};

struct cofl {
	struct cof         *cof;
	const struct cofl_numbering *numbering;	/* ir/copy.h */
	struct LLVMOpaqueMemoryBuffer *bitcode;	/* NULL: no module yet */
	struct cofl_method *method;	/* by number */
	_Atomic uint32_t    left_alone;	/* changes when more methods are
					 * (native/methods.h) */
	uint32_t            n_methods;
	/* Adds one to libcof, if it is not there. */
	struct cof_method *(*add_method)(struct cofl_method *m);
	/* Is the code, of so many bytes, that of the method's version 0? */
	bool              (*is_same)(struct cofl_method *m, const void *code,
				     size_t bytes);
	pthread_mutex_t     loader_lock;
	struct cofl_symbols symbols;	/* loader_lock */
	bool                image_is_far; /* not all of the executable is in
					 * reach of all of code memory */
	intptr_t            tls_distance; /* from a thread's pointer to the
					 * executable's variables; negative */
	void              (*log)(const char *line);

	/* The program's bitcode, mapped for good: of its file, and since LLVM
	 * has opened it a copy (program/bitcode_copy.h). */
	const char         *path;
	const void         *bytes;
	size_t              n_bytes;
	bool                bytes_are_copied;	/* module_lock */
	uint8_t             hash[COF_HASH_BYTES];	/* of bytes */

	/* LLVM (module.h); NULL: not loaded. */
	pthread_mutex_t     module_lock;
	const struct cofl_module *_Atomic module;
	bool                module_failed;	/* module_lock */
	struct cof_host     callbacks;	/* the module's; constant once `module`
					 * is set */

	/* For methods' profiles (count/count.h), and methods by stub, made when
	 * first needed. Nests inside a copy's lock. */
	pthread_mutex_t     profile_lock;
	_Atomic uint32_t    led_in_vtables; /* changes when more methods are
					 * (native/vtables.h) */
	uint32_t            stubs_at;	/* profile_lock: it was so much */
	struct cofl_map     stubs;

	/* Copies of the bitcode. The first is made with the module, others when
	 * they are needed. */
	pthread_mutex_t     pool_lock;
	struct cofl_copy  **pool;
	uint32_t            n_pool;

	/* version_cache/version_cache_host.h; NULL: nothing is cached. */
	struct cofl_version_cache_host *version_cache;
	bool                finishes;	/* what earlier runs left; no code of
					 * the program's runs */
};

/* libcof's method, added if it is not there. NULL: it cannot be. Thread: any
 * with no lock of libcof's; takes a lock behind the loader's. */
static inline struct cof_method *cofl_method_added(struct cofl_method *m)
{
	return m->host->add_method(m);
}

/* The same if it is there; NULL: not so far. */
static inline struct cof_method *cofl_method_now(const struct cofl_method *m)
{
	return atomic_load_explicit(&m->added, memory_order_acquire) ?
	       m->method : NULL;
}

/* Fill in what tells that a version of the whole method is as its first one.
 * Thread: as cofl_method_added(). */
static inline void cofl_method_compare(struct cofl_method *m,
				       struct cof_version_desc *out)
{
	const char *entry = out->entry;
	size_t before = (size_t)(entry - (const char *)out->start);

	out->same_as_first = m->host->is_same(m, entry,
					      out->size_bytes - before);
}
