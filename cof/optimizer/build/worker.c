/*
 * worker.c - take a build, have it done, give it back
 */
#include "optimizer/build/worker.h"

#include <errno.h>
#include <sched.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/units.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/job.h"
#include "options/tuning.h"

#define NICEST     19
#define IDLE_NS    UINT64_C(60000000000)	/* put wakes the worker */

/* On Linux nice is per thread. On failure builds only disturb more. */
static void be_nicer(const struct cof_opts *opts)
{
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno != 0 || opts->build_nice == 0)
		return;
	nice += (int)opts->build_nice;
	nice = nice < NICEST ? nice : NICEST;
	(void)setpriority(PRIO_PROCESS, 0, nice);
}

static bool stopping(const struct cof_workers *w)
{
	return __atomic_load_n(&w->stop, __ATOMIC_RELAXED) != 0;
}

/* Under the lock. */
static void show_queued(struct cof_workers *w)
{
	cof_count_set(&w->cof->flow->optimizer.queued, w->queue.n);
}

/*
 * Under the lock: the longest build that the brief worker may take. A build
 * that has overrun its expected time counts with the time it has run so far.
 */
static uint64_t brief_ns(const struct cof_worker *brief, uint64_t now_ns)
{
	const struct cof_worker *one = brief->all->worker;
	uint64_t most_ns = 0, short_ns = COF_TUNE(build_short_ms) * COF_MS_NS;

	for (; one < brief; one++) {	/* brief is the last */
		uint64_t ns;

		if (!one->at)
			continue;
		ns = now_ns - one->since_ns;
		ns = ns > one->at->expected_ns ? ns : one->at->expected_ns;
		most_ns = ns > most_ns ? ns : most_ns;
	}
	most_ns /= COF_TUNE(build_shorter_part);
	return most_ns > short_ns ? most_ns : short_ns;
}

/* Under the lock, once the CPU budget permits. */
static struct cof_build *take_allowed(struct cof_worker *self, uint64_t now_ns)
{
	struct cof_queue *queue = &self->all->queue;

	return self->brief ?
	       cof_queue_take_short(queue, brief_ns(self, now_ns)) :
	       cof_queue_take(queue);
}

/* The next build that may start, or NULL and how long to sleep. */
static struct cof_build *take(struct cof_worker *self, uint64_t *sleep_ns)
{
	struct cof_workers *w = self->all;
	uint64_t now_ns = cof_clock_ns();
	struct cof_build *b = NULL;
	bool held;

	pthread_mutex_lock(&w->lock);
	*sleep_ns = IDLE_NS;
	if (w->queue.n > 0 && !stopping(w)) {
		*sleep_ns = cof_build_cpu_budget_wait(&w->cpu_budget, now_ns);
		held = *sleep_ns > 0;
		if (!held)
			b = take_allowed(self, now_ns);
		if (!held && !b)	/* only long ones: look again soon */
			*sleep_ns = COF_TUNE(build_short_ms) * COF_MS_NS;
		self->at = b;
		self->since_ns = now_ns;
		show_queued(w);
		if (b && w->held_ns) {
			cof_count_add(&w->cof->flow->optimizer.waited_ns,
				      now_ns - w->held_ns);
			w->held_ns = 0;
		} else if (held && !w->held_ns) {
			w->held_ns = now_ns;
		}
	}
	pthread_mutex_unlock(&w->lock);
	return b;
}

static void give(struct cof_worker *self, struct cof_build *b)
{
	struct cof_workers *w = self->all;

	pthread_mutex_lock(&w->lock);
	self->at = NULL;
	cof_build_cpu_budget_spend(&w->cpu_budget, cof_job_ns(b));
	b->next = NULL;
	*w->done_end = b;
	w->done_end = &b->next;
	pthread_mutex_unlock(&w->lock);
	cof_stage_wake(w->cof->wake.optimizer);
}

/* Run all builds that may run now. Returns how long to sleep. */
static uint64_t step(struct cof_worker *self)
{
	struct cof_workers *w = self->all;
	struct cof_build *b;
	uint64_t sleep_ns;

	cof_assert_role(COF_ROLE_WORKER);
	while ((b = take(self, &sleep_ns))) {
		cof_job_run(w->cof, b, &w->stop);
		give(self, b);
	}
	return sleep_ns;
}

/* The first worker takes builds of any length. */
uint64_t cof_workers_step(struct cof_workers *w)
{
	return step(&w->worker[0]);
}

static void run(void *arg)
{
	struct cof_worker *self = arg;

	be_nicer(&self->all->cof->opts);
	while (cof_stage_sleep(&self->stage, step(self)))
		;
}

/* Under the lock. */
static void take_back(struct cof_workers *w, uint32_t n)
{
	w->given -= n;
	if (n > 0 && w->given == 0)
		w->quiet_ns = cof_clock_ns();
}

/* Option workers 0: two if there are two cores, so that a long build does not
 * keep the short ones waiting. */
static uint32_t how_many(const struct cof_opts *opts)
{
	cpu_set_t allowed;

	if (opts->workers > 0)
		return opts->workers;
	if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
		return 1;
	return CPU_COUNT(&allowed) > 1 ? 2 : 1;
}

int cof_workers_new(struct cof_workers *w, struct cof *cof)
{
	w->cof = cof;
	w->done_end = &w->done;
	if (pthread_mutex_init(&w->lock, NULL) != 0)
		return -COF_E_NOMEM;
	w->quiet_ns = cof_clock_ns();
	cof_build_cpu_budget_init(&w->cpu_budget, cof->opts.build_pct,
				  w->quiet_ns);
	w->n = how_many(&cof->opts);
	w->worker = cof_mem_alloc(w->n * sizeof(*w->worker));
	if (!w->worker) {
		pthread_mutex_destroy(&w->lock);
		return -COF_E_NOMEM;
	}
	for (uint32_t i = 0; i < w->n; i++) {
		struct cof_worker *one = &w->worker[i];

		one->all = w;
		one->brief = w->n > 1 && i == w->n - 1;
		cof_stage_init(&one->stage, "cof-build", COF_ROLE_WORKER, run,
			       one);
	}
	return 0;
}

int cof_workers_start(struct cof_workers *w)
{
	for (uint32_t i = 0; i < w->n; i++)
		if (cof_stage_start(&w->worker[i].stage) != 0) {
			cof_workers_stop(w);
			return -COF_E_NOMEM;
		}
	return 0;
}

void cof_workers_stop(struct cof_workers *w)
{
	__atomic_store_n(&w->stop, 1, __ATOMIC_RELAXED);
	for (uint32_t i = 0; i < w->n; i++)
		cof_stage_stop(&w->worker[i].stage);
}

void cof_workers_free(struct cof_workers *w)
{
	cof_queue_free(&w->queue);
	cof_mem_free(w->worker);
	pthread_mutex_destroy(&w->lock);
}

int cof_workers_put(struct cof_workers *w, struct cof_build *b)
{
	int err;

	cof_assert_role(COF_ROLE_PICKER);
	pthread_mutex_lock(&w->lock);
	err = cof_queue_put(&w->queue, b);
	w->given += !err;
	show_queued(w);
	pthread_mutex_unlock(&w->lock);
	for (uint32_t i = 0; i < w->n && !err; i++)
		cof_stage_wake(&w->worker[i].stage);
	return err;
}

struct cof_build *cof_workers_collect(struct cof_workers *w)
{
	struct cof_build *list;
	uint32_t n = 0;

	pthread_mutex_lock(&w->lock);
	list = w->done;
	for (struct cof_build *b = list; b; b = b->next)
		n++;
	take_back(w, n);
	w->done = NULL;
	w->done_end = &w->done;
	pthread_mutex_unlock(&w->lock);
	return list;
}

struct cof_build *cof_workers_withdraw(struct cof_workers *w)
{
	struct cof_build *b;

	pthread_mutex_lock(&w->lock);
	b = cof_queue_take(&w->queue);
	take_back(w, b != NULL);
	show_queued(w);
	pthread_mutex_unlock(&w->lock);
	return b;
}

uint64_t cof_workers_quiet_ns(struct cof_workers *w)
{
	uint64_t ns;

	pthread_mutex_lock(&w->lock);
	ns = w->given == 0 ? w->quiet_ns : UINT64_MAX;
	pthread_mutex_unlock(&w->lock);
	return ns;
}

uint64_t cof_workers_cpu_ns(const struct cof_workers *w)
{
	uint64_t ns = 0;
	clockid_t clock;

	for (uint32_t i = 0; i < w->n; i++)
		if (w->worker[i].stage.started &&
		    pthread_getcpuclockid(w->worker[i].stage.thread,
					  &clock) == 0)
			ns += cof_clock_read(clock);
	return ns;
}
