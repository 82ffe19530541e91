/*
 * balance.h - for each stage, is IN == OUT + sum(DROP)?
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/flow.h"
#include "patience.h"

/* The sums of a stage of base/flow.def: IN, and OUT with DROP. */
struct passed {
	uint64_t in, out;
	bool     any;		/* the stage has an IN */
};

static inline struct passed passed(const struct cof_flow *flow,
				   const char *stage)
{
	struct passed p = { .in = 0 };

	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		if (strcmp(d->stage, stage) != 0)
			continue;
		if (d->kind == COF_FLOW_IN) {
			p.in += cof_flow_read(flow, d);
			p.any = true;
		} else if (d->kind != COF_FLOW_STAT) {
			p.out += cof_flow_read(flow, d);
		}
	}
	return p;
}

/*
 * The stage of base/flow.def in which IN != OUT + sum(DROP), with the numbers
 * on stderr; NULL: there is none. Threads attached now and versions that wait
 * to be freed are still inside their stage.
 */
static inline const char *unbalanced(const struct cof_flow *flow)
{
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const char *stage = cof_flow_table[i].stage;
		struct passed p = passed(flow, stage);

		if (strcmp(stage, "threads") == 0)
			p.out += cof_count_get(&flow->threads.now);
		if (strcmp(stage, "reclaim") == 0)
			p.out += cof_count_get(&flow->reclaim.waiting);
		if (p.any && p.in != p.out) {
			fprintf(stderr, "%s: %llu in, %llu out or dropped\n",
				stage, (unsigned long long)p.in,
				(unsigned long long)p.out);
			return stage;
		}
	}
	return NULL;
}

/* Print all counters that are not zero, for a test that failed. */
static inline void show_flow(const struct cof_flow *flow)
{
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];
		uint64_t v = cof_flow_read(flow, d);

		if (v)
			fprintf(stderr, "%-10s %-16s %llu\n", d->stage,
				d->name, (unsigned long long)v);
	}
}

static inline void nap(void)
{
	struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
}

/* Wait until `cond` holds. For cmocka tests. */
#define wait_until(cond, flow)						\
	do {								\
		struct patience patience_ = patience_begin();		\
									\
		while (!(cond)) {					\
			if (patience_is_over(&patience_)) {		\
				show_flow(flow);			\
				fail_msg("never: %s", #cond);		\
			}						\
			nap();						\
		}							\
	} while (0)
