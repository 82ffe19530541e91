/*
 * tuning.h - the constants of the Mono host's tuning.def, as C
 *
 * As cof/options/tuning.h: COFM_TUNE(name) is a constant, or, configured with
 * --enable-tuning, set once by COF_TUNING, where its name begins with "mono.".
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct cofm_tuning {
#include "options/tuning_fields.h"
#include "vm/tuning.def"
};

#ifdef COF_ENABLE_TUNING
extern struct cofm_tuning cofm_tuning;
#else
static const struct cofm_tuning cofm_tuning __attribute__((unused)) = {
#include "options/tuning_values.h"
#include "vm/tuning.def"
};
#endif
#define COFM_TUNE(name) (cofm_tuning.name)

/*
 * Read COF_TUNING; call it first in main(), while there is one thread. 0, or
 * -COF_E_INVAL with a line in `why` (`why_bytes` long).
 */
int cofm_tuning_begin(char *why, size_t why_bytes);
