/*
 * tuning.h - the constants of the LLVM host's tuning.def, as C
 *
 * As cof/options/tuning.h. COFL_TUNE(name) is a constant. Configured with
 * --enable-tuning it is a variable that COF_TUNING sets once, by the name
 * "llvm.NAME".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cofl_tuning {
#include "options/tuning_fields.h"
#include "support/tuning.def"
};

#ifdef COF_ENABLE_TUNING
extern struct cofl_tuning cofl_tuning;
#else
static const struct cofl_tuning cofl_tuning __attribute__((unused)) = {
#include "options/tuning_values.h"
#include "support/tuning.def"
};
#endif
#define COFL_TUNE(name) (cofl_tuning.name)

/*
 * Read COF_TUNING; call it first in main(), while there is one thread. 0, or
 * -COF_E_INVAL with a line in `why` (`why_bytes` long).
 */
int cofl_tuning_begin(char *why, size_t why_bytes);
