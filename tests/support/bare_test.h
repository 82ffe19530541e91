/*
 * bare_test.h - two bare instances for a test, closed also when it fails
 */
#pragma once

#include "bare.h"

static struct bare b, other;

/* For cmocka: close what a failed test left open. */
static inline int bare_teardown(void **state)
{
	struct bare *const all[] = { &b, &other };

	(void)state;
	for (int i = 0; i < 2; i++) {
		if (!all[i]->cof.stats_file)
			continue;
		cof_thread_detach(&all[i]->cof);
		bare_close(all[i]);
	}
	return 0;
}
