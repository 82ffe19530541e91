/*
 * units.h - figures and states as people read them
 *
 * Each function returns a constant, or `buf`.
 */
#pragma once

#include <stdint.h>

#define UNITS_TEXT 32

/* "12.3 s", "4 min 05 s", "3 h 02 min", "2 d 05 h" */
const char *units_time(uint64_t ns, char buf[UNITS_TEXT]);

/* "512 B", "1.5 KiB", "3.0 MiB" */
const char *units_bytes(uint64_t bytes, char buf[UNITS_TEXT]);

/* The name of a plan in a stats file. If this build has no such plan, its
 * number. */
const char *units_plan(uint32_t plan, char buf[UNITS_TEXT]);

/* What happens to a method, by its row in a stats file: "counting",
 * "settled". */
struct cof_stats_file_hot;
const char *units_state(const struct cof_stats_file_hot *row,
			char buf[UNITS_TEXT]);

/* The result of a version's trial: "trial", "kept". If this build has no such
 * result, its number. */
const char *units_audit(uint32_t state, char buf[UNITS_TEXT]);

/* "+18.2 %"; "-" in a state in which nothing was measured. */
const char *units_gain(uint32_t state, int32_t permille, char buf[UNITS_TEXT]);
