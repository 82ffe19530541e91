/*
 * units.h - numbers as people read them
 */
#ifndef COF_TOOLS_UNITS_H
#define COF_TOOLS_UNITS_H

#include <stdint.h>

#define UNITS_TEXT 32

/* "12.3 s", "4 min 05 s", "3 h 02 min", "2 d 05 h" */
const char *units_time(uint64_t ns, char buf[UNITS_TEXT]);

/* "512 B", "1.5 KiB", "3.0 MiB" */
const char *units_bytes(uint64_t bytes, char buf[UNITS_TEXT]);

/* The name of a plan in a stats file; another build's: its number. */
const char *units_plan(uint32_t plan, char buf[UNITS_TEXT]);

/* What becomes of a method, by a row of a stats file: "counting", "settled". */
struct cof_share_hot;
const char *units_state(const struct cof_share_hot *row, char buf[UNITS_TEXT]);

/* How a version came off: "trial", "kept"; another build's: its number. */
const char *units_audit(uint32_t state, char buf[UNITS_TEXT]);

/* "+18.2 %"; "-" if the state is one in which nothing was measured. */
const char *units_gain(uint32_t state, int32_t permille, char buf[UNITS_TEXT]);

#endif /* COF_TOOLS_UNITS_H */
