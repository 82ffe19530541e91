/*
 * fuzz_opts.c - libFuzzer target: any text as a list of options (make fuzz)
 *
 * A list that is taken is printed, and what is printed gives the same options.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "options/opts.h"
#include "tests/support/fuzz.h"

#define MOST 4096u	/* bytes of a list */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct cof_opts first, again;
	static char list[MOST + 1], printed[4 * MOST], twice[4 * MOST];
	char why[160] = "";

	if (size > MOST)
		return 0;
	memcpy(list, data, size);
	list[size] = '\0';
	cof_opts_init(&first);
	if (cof_opts_parse(&first, list, why, sizeof(why)) != 0) {
		if (why[0] == '\0' || strchr(why, '\n') != NULL)
			abort();
		return 0;
	}
	fuzz_valid();
	cof_opts_print(&first, printed, sizeof(printed));
	cof_opts_init(&again);
	if (cof_opts_parse(&again, printed, why, sizeof(why)) != 0)
		abort();
	cof_opts_print(&again, twice, sizeof(twice));
	if (strcmp(printed, twice) != 0)
		abort();
	return 0;
}
