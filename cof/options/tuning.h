/*
 * tuning.h - the constants of tuning.def, as C
 *
 *	COF_TUNE(name)        a uint32_t (COF_TUNE_INT) or a double
 *			      (COF_TUNE_REAL)
 *	COF_TUNE_FIXED(name)  the same, always as in tuning.def: for code that
 *			      is linked without libcof
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

/* Which of them were read. Any thread sets a byte; none is ever cleared. */
struct cof_tuning_read {
#include "options/tuning_read_fields.h"
#include "options/tuning.def"
};
extern struct cof_tuning_read cof_tuning_read;
static const struct cof_tuning cof_tuning_fixed __attribute__((unused)) = {
#include "options/tuning_values.h"
#include "options/tuning.def"
};
#define COF_TUNE_FIXED(name) (cof_tuning_fixed.name)
#define COF_TUNE(name)                                                   \
	(__atomic_store_n(&cof_tuning_read.name, 1, __ATOMIC_RELAXED), \
	 cof_tuning.name)
#else
static const struct cof_tuning cof_tuning __attribute__((unused)) = {
#include "options/tuning_values.h"
#include "options/tuning.def"
};
#define COF_TUNE(name) (cof_tuning.name)
#define COF_TUNE_FIXED(name) COF_TUNE(name)
#endif

/*
 * Read COF_TUNING. Called by cof_start(). The first call in the process counts,
 * and all later calls return its result: 0, or -COF_E_INVAL with a line in
 * `why`, of `why_bytes` bytes. In a normal build always 0.
 */
int cof_tuning_begin(char *why, size_t why_bytes);

/*
 * The name of a constant that the process has read so far: of the first one
 * from *at on, which moves past it. NULL: there is none left; in a normal build
 * always. For bench/stepped.
 */
const char *cof_tuning_next_read(size_t *at);
