/*
 * event.h - the names of perf events, and about how often they happen
 *
 * COF_EVENT(name, type, config, per_us, "what"). per_us is how many events are
 * expected in a microsecond of CPU time. It turns a sampling period in time
 * into one in events. A guess within a factor of ten is enough: the budget
 * handles too many samples, and no figure anywhere counts in events.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define COF_EVENTS(COF_EVENT)						\
	COF_EVENT("cycles", HARDWARE, HW_CPU_CYCLES, 3000,		\
		  "core clock cycles")					\
	COF_EVENT("instr", HARDWARE, HW_INSTRUCTIONS, 3000,		\
		  "instructions retired")				\
	COF_EVENT("cacherefs", HARDWARE, HW_CACHE_REFERENCES, 30,	\
		  "last-level cache accesses")				\
	COF_EVENT("cachemiss", HARDWARE, HW_CACHE_MISSES, 3,		\
		  "last-level cache misses")				\
	COF_EVENT("branches", HARDWARE, HW_BRANCH_INSTRUCTIONS, 600,	\
		  "branches retired")					\
	COF_EVENT("branchmiss", HARDWARE, HW_BRANCH_MISSES, 10,		\
		  "branches mispredicted")				\
	COF_EVENT("task-clock", SOFTWARE, SW_TASK_CLOCK, 1000,		\
		  "CPU time, in ns")

struct cof_event {
	uint32_t type;		/* perf_event_attr.type */
	uint64_t config, config1, config2;
	uint64_t per_us;
};

/*
 * Find an event by its name in the table, or in libpfm4 if libcof was built
 * with it. Returns 0, or -COF_E_INVAL and one line in why.
 */
int cof_event_find(const char *name, struct cof_event *out, char *why,
		   size_t why_bytes);

/* The number of events in about `ns` of CPU time; at least 1. */
static inline uint64_t cof_event_period(const struct cof_event *e, uint64_t ns)
{
	uint64_t n = ns / 1000u * e->per_us + ns % 1000u * e->per_us / 1000u;

	return n > 0 ? n : 1;
}
