/*
 * tuning.h - the constants of the LLVM host's tuning.def, as C
 *
 * As cof/options/tuning.h: COFL_TUNE(name) is a constant, or, configured with
 * --enable-tuning, set once by COF_TUNING, where its name begins with "llvm.".
 */
#ifndef HOSTS_LLVM_SUPPORT_TUNING_H
#define HOSTS_LLVM_SUPPORT_TUNING_H

#include <stddef.h>
#include <stdint.h>

struct cofl_tuning {
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, ...)  uint32_t name;
#define COF_TUNE_REAL(name, ...) double   name;
#include "support/tuning.def"
};

#ifdef COF_ENABLE_TUNING
extern struct cofl_tuning cofl_tuning;
#define COFL_TUNE(name) (cofl_tuning.name)
#else
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, value, ...) \
	static const uint32_t cofl_tune_##name __attribute__((unused)) = value;
#define COF_TUNE_REAL(name, value, ...) \
	static const double   cofl_tune_##name __attribute__((unused)) = value;
#include "support/tuning.def"
#define COFL_TUNE(name) cofl_tune_##name
#endif

/*
 * Read COF_TUNING; call it first in main(), while there is one thread. 0, or
 * -COF_E_INVAL with a line in `why` (`why_bytes` long).
 */
int cofl_tuning_begin(char *why, size_t why_bytes);

#endif /* HOSTS_LLVM_SUPPORT_TUNING_H */
