/*
 * names.h - what a name in the bitcode means in the program that runs
 *
 * Thread: any, after init(); constant then.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ir/copy.h"
#include "link/symbols.h"
#include "native/executable.h"

struct cofl;

struct cofl_names {
	struct cofl                  *host;
	const struct cofl_executable *executable;
	uint32_t                     *bucket;	/* number of an entry + 1 */
	uint32_t                      n_buckets; /* power of two */
	uintptr_t                    *library;	/* by number: where a library
						 * has it; 0: nowhere, or the
						 * executable has it */
	struct cofl_numbering         numbering;

	/* Set by who has methods: cofl_methods_slot(). */
	void (*slot)(struct cofl_method *m, struct cofl_symbol *slot);
};

/*
 * `host`->method has the functions, by number of their entry. What libraries
 * have is looked up here, once: a thread of libcof's would wait for the
 * program's each time (own_threads/libc_locks.h).
 */
void cofl_names_init(struct cofl_names *names, struct cofl *host,
		     const struct cofl_executable *executable);

/* The number of the entry that the joined bitcode calls so; -1: none. */
int64_t cofl_names_find(const struct cofl_names *names, const char *name,
			size_t length);

/* For cofl_symbols: names as in a copy of the bitcode (ir/copy.h). */
bool cofl_names_define(void *names, struct cofl_symbol *symbol);
