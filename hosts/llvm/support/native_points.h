/*
 * native_points.h - the points in an executable's own code
 *
 * Points are those of link/osr_points.h. cof-cc's plug-in writes a record for
 * each into section COFL_SECTION_POINTS of the object, with relocations for the
 * linker to apply. cof-cc then takes that section out of the executable, and
 * writes the records, in order, behind the joined bitcode (record.h,
 * COFL_RECORD_POINTS).
 *
 * Addresses are as the linker made them; the load bias of a PIE comes on top.
 * The section has the name of one with debug information, since linkers allow
 * such to refer to sections that they discard: the addresses are 0 then.
 *
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COFL_SECTION_POINTS ".debug.cof.osr"

struct cofl_native_point {
	uint64_t at;		/* the instruction */
	uint64_t entry;		/* of its function */
	uint64_t words;		/* of the function: an array, by loop, of
				 * struct cofl_word */
	uint32_t loop;		/* its number */
	uint32_t n_loops;	/* of the function */
};

/* The records in the section of an executable's bytes, in the order of their
 * functions' entries, without those that were discarded; malloc(3), *n of them.
 * NULL: there are none, or no memory. */
struct cofl_native_point *cofl_native_points_collect(const char *bytes,
						     size_t n_bytes, size_t *n);

/* The bytes of COFL_RECORD_POINTS; false: they are damaged. Records are in
 * order, and those of one function agree. */
bool cofl_native_points_open(const struct cofl_native_point **list, size_t *n,
			     const char *bytes, size_t n_bytes);

/* The first record of the function with this entry, and in *n_found how many it
 * has; NULL: none. */
const struct cofl_native_point *
cofl_native_points_of(const struct cofl_native_point *list, size_t n,
		      uint64_t entry, size_t *n_found);
