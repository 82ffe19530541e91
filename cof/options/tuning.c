/*
 * tuning.c - the process's values of tuning.def, in a build that can change
 * them
 */
#include "options/tuning.h"

#ifdef COF_ENABLE_TUNING

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "options/tuning_parse.h"

/* Only the first cof_tuning_begin() writes it; libcof's threads start later. */
struct cof_tuning cof_tuning = {
#include "options/tuning_values.h"
#include "options/tuning.def"
};
struct cof_tuning_read cof_tuning_read;

#define COF_TUNE_OF cof_tuning
static const struct cof_tune entries[] = {
#include "options/tuning_entries.h"
#include "options/tuning.def"
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int result;		/* of the first cof_tuning_begin(), */
static char said[128];		/* and its line */

static void begin(void)
{
	static const struct cof_tune_table table = {
		"", entries, sizeof(entries) / sizeof(*entries),
	};
	const char *list = secure_getenv("COF_TUNING");

	if (list != NULL)
		result = cof_tuning_parse(&table, &cof_tuning, list, said,
					  sizeof(said));
}

int cof_tuning_begin(char *why, size_t why_bytes)
{
	pthread_once(&once, begin);
	if (result != 0)
		snprintf(why, why_bytes, "%s", said);
	return result;
}

/* Both tables are in the order of tuning.def. */
const char *cof_tuning_next_read(size_t *at)
{
	const unsigned char *read = (const unsigned char *)&cof_tuning_read;

	_Static_assert(sizeof(cof_tuning_read) ==
		       sizeof(entries) / sizeof(*entries), "a byte for each");
	while (*at < sizeof(cof_tuning_read)) {
		size_t i = (*at)++;

		if (__atomic_load_n(&read[i], __ATOMIC_RELAXED))
			return entries[i].name;
	}
	return NULL;
}

#else

const char *cof_tuning_next_read(size_t *at)
{
	(void)at;
	return NULL;
}

int cof_tuning_begin(char *why, size_t why_bytes)
{
	(void)why;
	(void)why_bytes;
	return 0;
}

#endif
