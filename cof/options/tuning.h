/*
 * tuning.h - the constants of tuning.def, as C
 *
 *	COF_TUNE(name)     a uint32_t (COF_TUNE_INT) or a double (COF_TUNE_REAL)
 *
 * In a normal build it is a constant, which costs nothing. In a build
 * configured with --enable-tuning it is a variable of the process:
 * COF_TUNING="name=value,..." sets it once, before the first instance has a
 * thread, and nothing does later. So it is no constant expression: not for
 * array sizes or static initializers.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cof_tuning {
#include "options/tuning_fields.h"
#include "options/tuning.def"
};

#ifdef COF_ENABLE_TUNING
extern struct cof_tuning cof_tuning;
#else
static const struct cof_tuning cof_tuning __attribute__((unused)) = {
#include "options/tuning_values.h"
#include "options/tuning.def"
};
#endif
#define COF_TUNE(name) (cof_tuning.name)

/*
 * Read COF_TUNING. Called by cof_start(). The first call in the process counts,
 * and all later calls return its result: 0, or -COF_E_INVAL with a line in
 * `why`, of `why_bytes` bytes. In a normal build always 0.
 */
int cof_tuning_begin(char *why, size_t why_bytes);
