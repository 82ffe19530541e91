/*
 * child_start.c - a timer, looks, and one thread; see child_start.h
 */
#include "sampler/child_start.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <time.h>

#include "base/fork_code.h"
#include "base/clock.h"
#include "base/handler_stack.h"
#include "base/rawcall.h"
#include "base/units.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "options/tuning.h"
#include "process/forked.h"
#include "process/process.h"
#include "process/stage.h"
#include "sampler/sampler_private.h"
#include "threads/threads.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* glibc has no name for it */
#endif

#define LOOK_NS     (20 * COF_MS_NS)
#define STACK_BYTES ((size_t)64 << 10)	/* for pthread_create(3) */

/* -- Waiting --------------------------------------------------------------- */

static uint32_t word(const _Atomic uint32_t *at)
{
	return atomic_load_explicit((_Atomic uint32_t *)at,
				    memory_order_acquire);
}

static void set_word(_Atomic uint32_t *at)
{
	atomic_store_explicit(at, cof_forked_count(), memory_order_release);
}

/* May the loop still begin in this process? */
COF_FORK_CODE static bool may_begin(const struct cof *cof)
{
	return cof_forked_is_child(cof) && !cof_is_quiet(cof) &&
	       !atomic_load_explicit((_Atomic bool *)&cof->stopped,
				     memory_order_relaxed) &&
	       word(&cof->child_start.claimed) != cof_forked_count();
}

/*
 * By system calls alone. In a child a libc function that the parent has not
 * called yet is bound first, which takes a dozen page faults. False: no timer.
 */
COF_FORK_CODE
static bool make_timer(const struct cof *cof, struct cof_thread *t)
{
	const uint64_t first_ns = cof->opts.fork_start_ms * COF_MS_NS;
	const struct itimerspec every = {
		.it_value.tv_sec = (time_t)(first_ns / COF_S_NS),
		.it_value.tv_nsec = (long)(first_ns % COF_S_NS),
		.it_interval.tv_nsec = LOOK_NS,
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = (int)cof->opts.signal,
		.sigev_value.sival_ptr =
			&cof_process_signal_cookie[COF_COOKIE_CHILD],
	};

	event.sigev_notify_thread_id = t->tid;
	if (cof_raw(SYS_timer_create, cof_clock_of_thread(t->tid),
		    (long)&event, (long)&t->child_timer, 0) != 0)
		return false;
	cof_raw(SYS_timer_settime, t->child_timer, 0, (long)&every, 0);
	return true;
}

COF_FORK_CODE
void cof_child_start_arm(struct cof *cof, struct cof_thread *t)
{
	const struct cof_sampler *s = cof->sampler;

	if (cof->opts.fork_start_ms == 0 || !cof->host.child_begins ||
	    cof->stepped || !s->signalled || !s->hooks || !may_begin(cof) ||
	    cof_codemem_range(cof->codemem)->closed)
		return;
	atomic_store(&t->has_child_timer, make_timer(cof, t));
}

void cof_child_start_end(struct cof_thread *t)
{
	if (atomic_exchange(&t->has_child_timer, false))	/* C */
		cof_raw(SYS_timer_delete, t->child_timer, 0, 0, 0);
}

static void end_all(struct cof *cof)
{
	pthread_mutex_lock(&cof->threads->lock);
	for (struct cof_thread *t = cof->threads->list; t; t = t->next)
		cof_child_start_end(t);
	pthread_mutex_unlock(&cof->threads->lock);
}

void cof_child_start_init(struct cof_child_start *start)
{
	set_word(&start->claimed);
	set_word(&start->made);
	set_word(&start->over);
}

bool cof_child_start_is_over(const struct cof *cof)
{
	return word(&cof->child_start.over) == cof_forked_count();
}

static bool claim(struct cof *cof)
{
	uint32_t forks = cof_forked_count();

	return atomic_exchange_explicit(&cof->child_start.claimed, forks,
					memory_order_acq_rel) != forks;
}

static void set_made(struct cof_child_start *start)
{
	set_word(&start->made);
	cof_raw(SYS_futex, (long)&start->made, FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
		INT_MAX, 0);
}

static void await_made(struct cof_child_start *start)
{
	uint32_t made;

	while ((made = word(&start->made)) != cof_forked_count())
		cof_raw(SYS_futex, (long)&start->made,
			FUTEX_WAIT | FUTEX_PRIVATE_FLAG, made, 0);
}

void cof_child_start_forgo(struct cof *cof)
{
	struct cof_child_start *start = &cof->child_start;

	if (claim(cof)) {
		end_all(cof);
		cof_child_start_init(start);
		return;
	}
	await_made(start);
	cof_stage_stop(&start->stage);
}

/* -- The thread ------------------------------------------------------------ */

static void run(void *arg)
{
	struct cof *cof = arg;

	end_all(cof);
	cof->begin_in_child(cof);
	set_word(&cof->child_start.over);
}

/* Nobody waits for `made` in vain, or goes on before there is a thread to
 * join. */
static void make_thread(void *arg)
{
	struct cof *cof = arg;
	struct cof_child_start *start = &cof->child_start;

	cof_stage_init(&start->stage, "cof-child", COF_ROLE_APP, run, cof);
	if (cof_stage_start(&start->stage) != 0)
		set_word(&start->over);
	set_made(start);
}

static void begin(struct cof *cof)
{
	if (cof_handler_stack_run(STACK_BYTES, make_thread, cof))
		return;
	set_word(&cof->child_start.over);
	set_made(&cof->child_start);
}

/* -- In the handler -------------------------------------------------------- */

bool cof_child_start_is(const siginfo_t *info)
{
	return info->si_code == SI_TIMER &&
	       info->si_value.sival_ptr ==
		       &cof_process_signal_cookie[COF_COOKIE_CHILD];
}

/* Was the program in a handler of its own when the signal came? */
static bool may_be_in_handler(struct cof_thread *t, const sigset_t *blocked)
{
	uint64_t mask;

	memcpy(&mask, blocked, sizeof(mask));
	if (mask == 0)
		return false;
	if (mask != t->child_mask)
		t->child_looks = 0;
	t->child_mask = mask;
	return ++t->child_looks < COF_TUNE(blocked_looks);
}

/* Is it code in which no lock of libc's is held? */
static bool is_programs(const struct cof *cof, uintptr_t pc)
{
	return cof_codemem_holds(cof->codemem, pc, pc + 1) ||
	       pc - (uintptr_t)cof->host.own_code < cof->host.own_code_bytes;
}

void cof_child_start_look(struct cof_thread *t, uintptr_t pc,
			  const sigset_t *blocked)
{
	struct cof *cof = t->cof;

	/* A late signal of a timer that is gone: the instance may be too. */
	if (!atomic_load(&t->has_child_timer))		/* threads.h: B */
		return;
	if (cof && may_begin(cof) && is_programs(cof, pc) &&
	    !may_be_in_handler(t, blocked) && claim(cof))
		begin(cof);
}
