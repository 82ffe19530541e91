/*
 * worker.c - take a build, gather and build, give it back
 */
#include "optimizer/worker.h"

#include <errno.h>
#include <sys/resource.h>

#include "clock.h"
#include "instance.h"
#include "mem.h"

#define NICER      10
#define NICEST     19
#define IDLE_NS    UINT64_C(60000000000)	/* put wakes us: no poll */

/* On Linux nice is a thread's. Without it builds only disturb more. */
static void be_nicer(void)
{
	int nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	if (errno != 0)
		return;
	nice = nice + NICER < NICEST ? nice + NICER : NICEST;
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

/* The next build that may start, or NULL and how long to sleep. */
static struct cof_build *take(struct cof_workers *w, uint64_t *sleep_ns)
{
	uint64_t now_ns = cof_clock_ns();
	struct cof_build *b = NULL;

	pthread_mutex_lock(&w->lock);
	*sleep_ns = IDLE_NS;
	if (w->queue.n > 0 && !stopping(w)) {
		*sleep_ns = cof_allowance_wait(&w->allowance, now_ns);
		if (*sleep_ns == 0)
			b = cof_queue_take(&w->queue);
		show_queued(w);
		if (b && w->held_ns) {
			cof_count_add(&w->cof->flow->optimizer.waited_ns,
				      now_ns - w->held_ns);
			w->held_ns = 0;
		} else if (!b && !w->held_ns) {
			w->held_ns = now_ns;
		}
	}
	pthread_mutex_unlock(&w->lock);
	return b;
}

static void give(struct cof_workers *w, struct cof_build *b)
{
	pthread_mutex_lock(&w->lock);
	cof_allowance_spend(&w->allowance, b->gather_ns + b->build_ns);
	b->next = NULL;
	*w->done_end = b;
	w->done_end = &b->next;
	pthread_mutex_unlock(&w->lock);
	w->wake(w->cof);
}

/* The host's handle, gathered once and kept for every later build. */
static void *ir_of(struct cof_workers *w, struct cof_build *b)
{
	const struct cof_host *host = &w->cof->host;
	struct cof_method *method = b->method;
	uint64_t t0;

	if (!method->ir && host->gather) {
		t0 = cof_clock_thread_ns();
		method->ir = host->gather(host->ctx, method->data);
		b->gather_ns = cof_clock_thread_ns() - t0;
		b->gathered = method->ir != NULL;
	}
	return method->ir;
}

static enum cof_build_end build(struct cof_workers *w, struct cof_build *b)
{
	const struct cof_host *host = &w->cof->host;
	void *ir = ir_of(w, b);
	uint64_t t0;
	int no;

	if (!ir)
		return COF_BUILD_NO_IR;
	if (!host->build)
		return COF_BUILD_DECLINED;
	b->desc = (struct cof_version_desc){ .size = sizeof(b->desc) };
	t0 = cof_clock_thread_ns();
	no = host->build(host->ctx, ir, b->plan, &w->stop, &b->desc);
	b->build_ns = cof_clock_thread_ns() - t0;
	if (no)
		return COF_BUILD_DECLINED;
	/* What we asked for: else a host that forgets it is asked for ever. */
	b->desc.plan = b->plan;
	return COF_BUILD_DONE;
}

static void run(void *arg)
{
	struct cof_worker *self = arg;
	struct cof_workers *w = self->all;
	uint64_t sleep_ns;

	cof_assert_role(COF_ROLE_WORKER);
	be_nicer();
	do {
		struct cof_build *b;

		while ((b = take(w, &sleep_ns))) {
			cof_mem_enter();
			b->end = build(w, b);
			cof_mem_leave();
			give(w, b);
		}
	} while (cof_stage_sleep(&self->stage, sleep_ns));
}

int cof_workers_start(struct cof_workers *w, struct cof *cof,
		      void (*wake)(struct cof *cof))
{
	w->cof = cof;
	w->wake = wake;
	w->done_end = &w->done;
	if (pthread_mutex_init(&w->lock, NULL) != 0)
		return -COF_E_NOMEM;
	cof_allowance_init(&w->allowance, cof->opts.build_pct, cof_clock_ns());
	w->worker = cof_alloc(cof->opts.workers * sizeof(*w->worker));
	if (!w->worker)
		goto fail;
	for (; w->n < cof->opts.workers; w->n++) {
		struct cof_worker *one = &w->worker[w->n];

		one->all = w;
		if (cof_stage_start(&one->stage, "cof-build",
				    COF_ROLE_WORKER, run, one) != 0)
			goto fail;
	}
	return 0;
fail:
	cof_workers_stop(w);
	cof_workers_free(w);
	return -COF_E_NOMEM;
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
	cof_free_mem(w->worker);
	pthread_mutex_destroy(&w->lock);
}

int cof_workers_put(struct cof_workers *w, struct cof_build *b)
{
	int err;

	cof_assert_role(COF_ROLE_PICKER);
	pthread_mutex_lock(&w->lock);
	err = cof_queue_put(&w->queue, b);
	show_queued(w);
	pthread_mutex_unlock(&w->lock);
	for (uint32_t i = 0; i < w->n && !err; i++)
		cof_stage_wake(&w->worker[i].stage);
	return err;
}

struct cof_build *cof_workers_collect(struct cof_workers *w)
{
	struct cof_build *list;

	pthread_mutex_lock(&w->lock);
	list = w->done;
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
	show_queued(w);
	pthread_mutex_unlock(&w->lock);
	return b;
}

uint64_t cof_workers_cpu_ns(const struct cof_workers *w)
{
	uint64_t ns = 0;
	clockid_t clock;

	for (uint32_t i = 0; i < w->n; i++)
		if (pthread_getcpuclockid(w->worker[i].stage.thread,
					  &clock) == 0)
			ns += cof_clock_read(clock);
	return ns;
}
