/*
 * tuning.h - the constants of tuning.def, as C
 *
 *	COF_TUNE(name)     a uint32_t (COF_TUNE_INT) or a double (COF_TUNE_REAL)
 *
 * A constant in a normal build, which costs nothing. In one that was configured
 * with --enable-tuning, a variable of the process: COF_TUNING="name=value,..."
 * sets it once, before the first instance has a thread, and nobody afterwards.
 * So it is no constant expression: not for array sizes and static initializers.
 */
#ifndef COF_OPTIONS_TUNING_H
#define COF_OPTIONS_TUNING_H

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
 * Read COF_TUNING. Called by cof_start(); the first call of the process counts, and
 * all later ones have its result. 0, or -COF_E_INVAL with a line in `why`
 * (`why_bytes` long). In a normal build always 0.
 */
int cof_tuning_begin(char *why, size_t why_bytes);

#endif /* COF_OPTIONS_TUNING_H */
