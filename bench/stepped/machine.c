/*
 * machine.c - the stepped loop of the tests, on one core; see machine.h
 */
#include "bench/stepped/machine.h"

#include <stdio.h>

#include "options/tuning.h"
#include "tests/cof/api/stepped_loop.h"

#define FRAMES   4u
#define START_NS 10000000u	/* CPU time that the host took to start */

/* A step of a stage: it wakes, looks, and sleeps. */
static const uint64_t step_ns[STEPPED_STAGES] = {
	[STEPPED_SAM] = 4000, [STEPPED_PRE] = 20000, [STEPPED_PO] = 10000,
	[STEPPED_BUILDS] = 2000,
};

static const struct machine_costs *costs;
static uintptr_t frame[FRAMES];		/* the program's stack */
static uint64_t fallen, program_ns;	/* as SAM last saw them */
static struct {
	uint64_t barriers, sites, searches, entries;
} charged;

/* What has grown since the last call. */
static uint64_t grown(uint64_t *before, uint64_t now)
{
	uint64_t n = now - *before;

	*before = now;
	return n;
}

/* SAM: its samples, and the program's CPU time, which no thread has here. */
static uint64_t sampling(void)
{
	struct cof_flow_sampler *flow = &stepped.cof->flow->sampler;

	cof_count_add(&flow->guest_ns, grown(&program_ns, stepped.cpu_ns));
	stepped.period_ns = cof_count_get(&flow->period_ns);
	return costs->sample * grown(&fallen, stepped.fallen);
}

/* Counted entries, from what libcof believes that they cost. */
static uint64_t entries(const struct cof_flow *flow)
{
	return (uint64_t)((double)cof_count_get(&flow->audit.count_ns) /
			  (costs->threads > 1 ?
				   cof_tuning.trial_count_shared_ns :
				   cof_tuning.trial_count_ns));
}

static uint64_t cost_of(enum stepped_stage stage)
{
	const struct cof_flow *flow = stepped.cof->flow;
	uint64_t ns = step_ns[stage];

	if (stage == STEPPED_SAM)
		return ns + sampling();
	ns += costs->barrier * grown(&charged.barriers,
				     cof_count_get(&flow->patcher.barriers));
	ns += costs->site * grown(&charged.sites,
				  cof_count_get(&flow->patcher.site_writes));
	ns += costs->search * grown(&charged.searches,
				    cof_count_get(&flow->reclaim.rounds));
	return ns + costs->count * grown(&charged.entries, entries(flow));
}

/* P/O reads its own clock to see what a search or a barrier took. Of a barrier
 * a quarter is its own. */
static uint64_t clock_of(clockid_t id)
{
	const struct cof_flow *flow = stepped.cof ? stepped.cof->flow : NULL;
	uint64_t ns = stepped_clock(id);

	if (id != CLOCK_THREAD_CPUTIME_ID || cof_role != COF_ROLE_PICKER ||
	    !flow)
		return ns;
	return ns + costs->search * (cof_count_get(&flow->reclaim.rounds) -
				     charged.searches) +
	       costs->barrier / 4 * (cof_count_get(&flow->patcher.barriers) -
				     charged.barriers);
}

struct cof *machine_start(const struct cof_host *host, const char *options,
			  const struct machine_costs *of, uint64_t seed)
{
	char why[COF_WHY_BYTES] = "";

	costs = of;
	memset(&charged, 0, sizeof(charged));
	fallen = 0;
	program_ns = START_NS;
	memset(frame, 0, sizeof(frame));
	if (stepped_start(host, options, false, why) != 0) {
		fprintf(stderr, "bench/stepped: %s\n", why);
		exit(1);
	}
	stepped.cpu_ns = START_NS;
	stepped_share(cost_of);
	cof_clock_injected = clock_of;
	stepped.random = seed;
	/* None is attached, for there is none. */
	cof_count_set(&stepped.cof->flow->threads.now, costs->threads);
	if (cof_stack_add(stepped.cof, frame, frame + FRAMES) != 0)
		abort();
	return stepped.cof;
}

void machine_run(const void *pc, uint64_t ns)
{
	stepped_go(pc, ns);
}

void machine_sleep(uint64_t ns)
{
	stepped_sleep(ns);
}

void machine_build(uint64_t ns)
{
	stepped_work(ns);
}

void machine_frame(unsigned place, const void *pc)
{
	frame[place] = (uintptr_t)pc;
}

uint64_t machine_cpu_ns(void)
{
	return stepped.cpu_ns - START_NS + stepped.shared_ns;
}

uint64_t machine_waited_ns(void)
{
	return stepped.shared_ns;
}

/* FNV-1a, word by word. */
uint64_t machine_digest(void)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < cof_flow_table_len; i++) {
		const struct cof_flow_desc *d = &cof_flow_table[i];

		if (strcmp(d->stage, "memory") == 0)
			continue;
		hash ^= cof_flow_read(stepped.cof->flow, d);
		hash *= 0x100000001b3u;
	}
	return (hash ^ machine_cpu_ns()) * 0x100000001b3u;
}

void machine_stop(void)
{
	cof_count_set(&stepped.cof->flow->threads.now, 0);
	stepped_stop();
}

void machine_free(void)
{
	stepped_free();
}
