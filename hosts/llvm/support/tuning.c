/*
 * tuning.c - see tuning.h
 */
#include "support/tuning.h"

#ifdef COF_ENABLE_TUNING

#include <stdlib.h>

#include "options/tuning_parse.h"

/* Written by cofl_tuning_begin() alone, before any other thread is there. */
struct cofl_tuning cofl_tuning = {
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(name, value, ...)  .name = value,
#define COF_TUNE_REAL(name, value, ...) .name = value,
#include "support/tuning.def"
};

static const struct cof_tune entries[] = {
#define COF_TUNE_PART(text)
#define COF_TUNE_INT(...)  COF_TUNE_ENTRY(cofl_tuning, false, __VA_ARGS__)
#define COF_TUNE_REAL(...) COF_TUNE_ENTRY(cofl_tuning, true, __VA_ARGS__)
#include "support/tuning.def"
};

int cofl_tuning_begin(char *why, size_t why_bytes)
{
	static const struct cof_tune_table table = {
		"llvm.", entries, sizeof(entries) / sizeof(*entries),
	};
	const char *list = getenv("COF_TUNING");

	return list == NULL ? 0 :
	       cof_tuning_parse(&table, &cofl_tuning, list, why, why_bytes);
}

#else

int cofl_tuning_begin(char *why, size_t why_bytes)
{
	(void)why;
	(void)why_bytes;
	return 0;
}

#endif
