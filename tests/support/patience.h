/*
 * patience.h - how long a test waits for an event: minutes of real time
 *
 * A test never tests this time. If an event has to come in time, the test steps
 * the stages, by a clock of its own (tests/cof/api/stepped_loop.h). No machine
 * is so busy that a wait takes longer, so its end means that the event does not
 * come.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define PATIENCE_S 600

struct patience {
	struct timespec since;	/* real, also if the test has its own clock */
};

static inline struct patience patience_begin(void)
{
	struct patience p;

	clock_gettime(CLOCK_MONOTONIC, &p.since);
	return p;
}

static inline bool patience_is_over(const struct patience *p)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - p->since.tv_sec > PATIENCE_S;
}
