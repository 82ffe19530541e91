/*
 * executable.h - the executable that this process runs: bitcode, addresses
 *
 * Read from its file, which is mapped for good. What stands in it is as cof-cc
 * wrote it; hashes and offsets are checked.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/addresses.h"
#include "support/native_points.h"
#include "support/record.h"

struct cofl_executable {
	const char *bytes;	/* the file */
	size_t      n_bytes;
	const char *bitcode;	/* joined; not checked */
	size_t      n_bitcode;
	uint8_t     hash[COFL_RECORD_HASH_BYTES];	/* of the bitcode */

	/* Hash of the file that it was linked from; else of the bitcode. */
	uint8_t     identity[COFL_RECORD_HASH_BYTES];
	bool        is_linked;	/* it was linked from a file */

	const struct cofl_addresses *head;
	const struct cofl_address   *entry;
	const char                  *names;

	const struct cofl_native_point *point;	/* n_points of them */
	size_t      n_points;

	uintptr_t   bias;	/* what is added to the linker's addresses */
	uintptr_t   image;	/* code and data, n_image bytes */
	size_t      n_image;
	uintptr_t   text;	/* its code, n_text bytes */
	size_t      n_text;
	intptr_t    tls;	/* from the thread pointer to its block */
};

/* False: `why` has the reason. Thread: any; opens a file. */
bool cofl_executable_open(struct cofl_executable *e, char *why,
			  size_t why_bytes);

/* The run-time address of entry `i`; of the resolver, if it is an ifunc's. */
uintptr_t cofl_executable_address(const struct cofl_executable *e, uint32_t i);
