/*
 * patience.h - how long a test waits for what must come: minutes of real time
 *
 * Never what it tests: what has to be there in time is stepped, in time of the test's
 * own (tests/cof/api/stepped_loop.h). No machine is so busy that one wait takes longer, so its end
 * means that what is waited for does not come.
 */
#ifndef TESTS_PATIENCE_H
#define TESTS_PATIENCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define PATIENCE_S 600

struct patience {
	struct timespec since;	/* real, also where a test has a clock of its own */
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

#endif /* TESTS_PATIENCE_H */
