/*
 * run.h - a drawn program from its begin to its end, with libcof
 */
#pragma once

#include <stdint.h>

#include "base/flow.h"
#include "bench/stepped/family.h"

struct run {
	uint64_t work_ns;	/* of the program, if all stayed at tier 0 */
	uint64_t cpu_ns;	/* that it took, with all that it waited for */
	uint64_t waited_ns;	/* of cpu_ns: for builds and for libcof */
	uint64_t digest;	/* of all counters */
	struct cof_flow flow;	/* the counters at the end */
};

/* `seed` is the program's. `shake`: where samples fall in it, by chance. */
void run_program(const struct family *family, uint64_t seed, uint64_t shake,
		 struct run *out);
