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

#endif /* COF_TOOLS_UNITS_H */
