/*
 * delayed_start.c - SAM waits until the program has used enough CPU time
 */
#include "sampler/sampler_private.h"

#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"
#include "options/tuning.h"
#include "process/left.h"
#include "threads/threads.h"

/* Not sysconf(3), which opens a file. */
static uint64_t cores(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ?
		(uint64_t)CPU_COUNT(&cpus) : CPU_SETSIZE;
}

/*
 * How long to sleep until the process may have used `left_ns` more CPU time. It
 * takes at least left_ns / cores. The sleep is also at least a part of the time
 * waited so far, so that SAM seldom wakes for a program that does nothing.
 */
static uint64_t poll_ns(uint64_t left_ns, uint64_t waited_ns)
{
	uint64_t ns = left_ns / cores();
	uint64_t least_ns = COF_TUNE(sampler_start_look_ms) * COF_MS_NS;

	if (ns < waited_ns / COF_TUNE(sampler_start_looks))
		ns = waited_ns / COF_TUNE(sampler_start_looks);
	/* A process whose threads have all ended goes on for so long. */
	if (ns > COF_TUNE(left_look_ms) * COF_MS_NS)
		ns = COF_TUNE(left_look_ms) * COF_MS_NS;
	return ns > least_ns ? ns : least_ns;
}

/* False: SAM was told to stop first. */
static bool await_cpu(struct cof_sampler *s, uint64_t until_ns)
{
	uint64_t start = cof_clock_ns(), cpu;

	while ((cpu = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID)) < until_ns) {
		if (!cof_stage_sleep(&s->stage,
				     poll_ns(until_ns - cpu,
					     cof_clock_ns() - start)))
			return false;
		cof_left_check(s->cof, s->hooks->left);
	}
	return true;
}

bool cof_sampler_await_start(struct cof_sampler *s)
{
	struct cof *cof = s->cof;
	uint64_t until_ns = 0;

	if (!await_cpu(s, cof->begins_cpu_ns))
		return false;
	if (s->hooks->begin(cof, &until_ns) != 0) {
		cof_log(cof, "COF: the loop does not begin: no more threads");
		return false;
	}
	if (!await_cpu(s, until_ns))
		return false;
	pthread_mutex_lock(&cof->threads->lock);
	s->delayed = false;
	for (struct cof_thread *t = cof->threads->list; t; t = t->next)
		cof_sampler_begin_thread(s, t);
	pthread_mutex_unlock(&cof->threads->lock);
	atomic_store_explicit(&cof->begun, true, memory_order_release);
	cof_log(cof,
		"COF: the loop begins: the program has run for long enough");
	s->hooks->begun(cof);
	return true;
}
