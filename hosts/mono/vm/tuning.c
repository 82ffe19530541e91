/*
 * tuning.c - see tuning.h
 */
#include "vm/tuning.h"

#ifdef COF_ENABLE_TUNING

#include <stdlib.h>

#include "options/tuning_parse.h"

/* Written by cofm_tuning_begin() alone, before any other thread is there. */
struct cofm_tuning cofm_tuning = {
#include "options/tuning_values.h"
#include "vm/tuning.def"
};

#define COF_TUNE_OF cofm_tuning
static const struct cof_tune entries[] = {
#include "options/tuning_entries.h"
#include "vm/tuning.def"
};

int cofm_tuning_begin(char *why, size_t why_bytes)
{
	static const struct cof_tune_table table = {
		"mono.", entries, sizeof(entries) / sizeof(*entries),
	};
	const char *list = secure_getenv("COF_TUNING");

	return list == NULL ? 0 :
	       cof_tuning_parse(&table, &cofm_tuning, list, why, why_bytes);
}

#else

int cofm_tuning_begin(char *why, size_t why_bytes)
{
	(void)why;
	(void)why_bytes;
	return 0;
}

#endif
