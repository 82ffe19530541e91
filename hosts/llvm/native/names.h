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
#include "preload/services.h"

struct cofl;

struct cofl_names {
	struct cofl                  *host;
	const struct cofl_executable *executable;
	const struct cofl_services   *services;
	uint32_t                     *bucket;	/* number of an entry + 1 */
	uint32_t                      n_buckets; /* power of two */
	struct cofl_numbering         numbering;
};

/* `host`->method has the functions, by number of their entry. */
void cofl_names_init(struct cofl_names *names, struct cofl *host,
		     const struct cofl_executable *executable,
		     const struct cofl_services *services);

/* The number of the entry that the joined bitcode calls so; -1: none. */
int64_t cofl_names_find(const struct cofl_names *names, const char *name,
			size_t length);

/* For cofl_symbols: names as in a copy of the bitcode (ir/copy.h). */
bool cofl_names_define(void *names, struct cofl_symbol *symbol);
