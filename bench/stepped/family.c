/*
 * family.c - see family.h
 *
 * The ranges are wide: what they leave out, no constant is tried in.
 */
#include "bench/stepped/family.h"

#include <string.h>

/* What most families have. A family names what differs. */
#define USUAL								\
	.work_s = 80, .methods = { 10, 40 }, .slope = { 0.5, 1.5 },	\
	.call_us = { 0.2, 200 }, .build_ms = { 2, 60 },			\
	.code_kb = { 0.2, 8 }, .gain = { 0.05, 0.8 }, .error = 0.2,	\
	.hurt = 0.1, .called = 0.2, .phases = { 1, 1 },			\
	.period_s = { 1000, 1000 }, .shared = 1, .kinds = 1,		\
	.profiled = { 0.8, 1 }, .loop_s = { 1, 1 },			\
	.costs = { .sample = 1000, .barrier = 20000, .site = 150,	\
		   .search = 50000, .count = 1 },			\
	.options = ""

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"

const struct family families[] = {
	{ USUAL, .name = "steady" },
	{ USUAL, .name = "flat", .methods = { 100, 200 }, .slope = { 0, 0.3 } },
	{ USUAL, .name = "short", .work_s = 6, .build_ms = { 20, 400 } },
	{ USUAL, .name = "costly", .build_ms = { 200, 2000 },
	  .gain = { 0, 0.3 } },
	{ USUAL, .name = "hurting", .hurt = 0.5, .gain = { -0.1, 0.2 } },
	{ USUAL, .name = "alike", .gain = { -0.02, 0.04 }, .hurt = 0,
	  .error = 0.02 },
	{ USUAL, .name = "declining", .declined = 0.6 },
	{ USUAL, .name = "phases", .work_s = 120, .phases = { 2, 4 },
	  .period_s = { 4, 20 }, .shared = 0.3, .kinds = 3,
	  .profiled = { 0.5, 0.9 } },
	{ USUAL, .name = "flutter", .phases = { 2, 4 },
	  .period_s = { 0.3, 3 }, .shared = 0.3, .kinds = 3,
	  .profiled = { 0.5, 0.9 } },
	{ USUAL, .name = "wander", .work_s = 120, .methods = { 60, 120 },
	  .phases = { 8, 16 }, .period_s = { 1, 20 }, .shared = 0.1,
	  .kinds = 4, .profiled = { 0.5, 0.9 } },
	{ USUAL, .name = "data", .work_s = 120, .methods = { 4, 10 },
	  .phases = { 2, 3 }, .period_s = { 5, 30 }, .kinds = 3,
	  .profiled = { 0.4, 0.7 }, .hurt = 0 },
	{ USUAL, .name = "loop", .loop = 0.6, .loop_s = { 2, 60 },
	  .entries = 0.7, .hurt = 0.15 },
	{ USUAL, .name = "calls", .call_us = { 0.02, 0.3 }, .called = 0.7,
	  .costs = { .sample = 1000, .barrier = 20000, .site = 500,
		     .search = 50000, .count = 3 } },
	{ USUAL, .name = "crowd", .call_us = { 0.02, 0.3 },
	  .costs = { .sample = 1000, .barrier = 60000, .site = 500,
		     .search = 200000, .count = 20, .threads = 4 } },
	{ USUAL, .name = "pauses", .work_s = 40, .run_ms = 30,
	  .sleep_ms = 300 },
	{ USUAL, .name = "naps", .run_ms = 2000, .sleep_ms = 20000,
	  .phases = { 2, 3 }, .period_s = { 4, 20 }, .shared = 0.5 },
	{ USUAL, .name = "dear", .phases = { 1, 3 }, .period_s = { 4, 20 },
	  .shared = 0.4, .kinds = 2,
	  .costs = { .sample = 200000, .barrier = 200000, .site = 1000,
		     .search = 2000000, .count = 20 } },
	{ USUAL, .name = "cramped", .methods = { 60, 110 },
	  .code_kb = { 60, 240 }, .phases = { 2, 4 },
	  .period_s = { 2, 20 }, .shared = 0.3, .kinds = 2 },
};

#pragma GCC diagnostic pop

const size_t n_families = sizeof(families) / sizeof(families[0]);

const struct family *family_of(const char *name)
{
	for (size_t i = 0; i < n_families; i++)
		if (strcmp(families[i].name, name) == 0)
			return &families[i];
	return NULL;
}
