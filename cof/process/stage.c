/*
 * stage.c - start, sleep, wake, stop; see stage.h
 *
 * `wakes` is the futex. The sleeper exchanges it for 0, and so takes all wakes
 * at once. Only a wake that finds 0 makes a system call:
 *
 *	waker                           sleeper
 *	write what there is to see      exchange wakes for 0, acquire   (B)
 *	add 1 to wakes, release (A)     0: futex wait while it is 0
 *	it was 0: futex wake            else: look at what there is to see
 *
 * A pairs with B: a sleeper that takes a wake sees what it is about.
 *
 * `stopping` is stored with release (C), and loaded with acquire (D) in
 * cof_stage_stopping(). A stage that sees it, also in the middle of its work,
 * sees what the thread that stops it did before.
 */
#include "process/stage.h"

#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rawcall.h"
#include "cof.h"
#include "memory/mem.h"
#include "process/forked.h"
#include "process/own_threads.h"

static _Thread_local bool creating;

static void *stage_main(void *arg)
{
	struct cof_stage *stage = arg;

	cof_own_threads_enter();
	cof_stage_stack_keep(&stage->stack);
	cof_role = stage->role;
	pthread_setname_np(pthread_self(), stage->name);
	stage->run(stage->arg);
	cof_own_threads_leave();
	return NULL;
}

void cof_stage_init(struct cof_stage *stage, const char *name,
		    enum cof_role role, void (*run)(void *), void *arg)
{
	*stage = (struct cof_stage){
		.role = role, .name = name, .run = run, .arg = arg,
	};
}

int cof_stage_thread(pthread_t *thread, const pthread_attr_t *attr,
		     void *(*run)(void *), void *arg)
{
	uint64_t before;
	fenv_t traps;
	int err;

	/*
	 * The new thread inherits the mask, so no signal can come before it
	 * sets one. SIGXFSZ is blocked too: a write past a limit only fails. It
	 * inherits which exceptions of floating point trap as well, and how
	 * results are rounded.
	 */
	fegetenv(&traps);
	fesetenv(FE_DFL_ENV);
	cof_raw_block_signals(&before);
	creating = true;
	err = pthread_create(thread, attr, run, arg);
	creating = false;
	cof_raw_set_signals(&before);
	fesetenv(&traps);
	return err;
}

int cof_creates_thread(void)
{
	return creating;
}

/* What a thread of the host's is to do. */
struct request {
	void *(*run)(void *arg);
	void  *arg;
};

static void *errand_main(void *arg)
{
	struct request request = *(struct request *)arg;
	void *result;

	cof_own_threads_enter();
	cof_mem_free(arg);
	result = request.run(request.arg);
	cof_own_threads_leave();
	return result;
}

int cof_thread_create(void *(*run)(void *), void *arg)
{
	struct request *request;
	pthread_t thread;

	if (!run)
		return -COF_E_INVAL;
	request = cof_mem_alloc(sizeof(*request));
	if (!request)
		return -COF_E_NOMEM;
	*request = (struct request){ run, arg };
	if (cof_stage_thread(&thread, NULL, errand_main, request) != 0) {
		cof_mem_free(request);
		return -COF_E_NOMEM;
	}
	pthread_detach(thread);
	return 0;
}

int cof_stage_start(struct cof_stage *stage)
{
	pthread_attr_t attr;
	int err;

	stage->forks = cof_forked_count();
	if (pthread_attr_init(&attr) != 0)
		return -COF_E_NOMEM;
	cof_stage_stack_make(&stage->stack, &attr);
	err = cof_stage_thread(&stage->thread, &attr, stage_main, stage);
	pthread_attr_destroy(&attr);
	if (err != 0)
		cof_stage_stack_free(&stage->stack);
	stage->started = err == 0;
	return err == 0 ? 0 : -COF_E_NOMEM;
}

/* The time `ns` from now, as the futex wants it. */
static struct timespec deadline_in(uint64_t ns)
{
	uint64_t now = cof_clock_ns();
	uint64_t at = now + ns < now ? UINT64_MAX : now + ns;

	return (struct timespec){
		.tv_sec = (time_t)(at / 1000000000u),
		.tv_nsec = (long)(at % 1000000000u),
	};
}

bool cof_stage_sleep(struct cof_stage *stage, uint64_t ns)
{
	struct timespec until = deadline_in(ns);

	/*
	 * The time is absolute, so that a wait which EINTR cut short (a
	 * debugger, a stop and continue) goes on to the same moment.
	 */
	while (!cof_stage_stopping(stage)) {
		if (atomic_exchange_explicit(&stage->wakes, 0,
					     memory_order_acquire) != 0) /* B */
			break;
		if (syscall(SYS_futex, &stage->wakes,
			    FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, &until,
			    NULL, FUTEX_BITSET_MATCH_ANY) != 0 &&
		    errno == ETIMEDOUT)
			break;
	}
	return !cof_stage_stopping(stage);
}

void cof_stage_wake(struct cof_stage *stage)
{
	if (stage &&
	    atomic_fetch_add_explicit(&stage->wakes, 1,
				      memory_order_release) == 0)	/* A */
		syscall(SYS_futex, &stage->wakes,
			FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX);
}

void cof_stage_ask(struct cof_stage *stage)
{
	atomic_store_explicit(&stage->stopping, true,
			      memory_order_release);	/* C */
	cof_stage_wake(stage);
}

void cof_stage_stop(struct cof_stage *stage)
{
	if (!stage->started)
		return;
	stage->started = false;
	if (stage->forks != cof_forked_count())
		return;		/* a fork's child: the thread is not here */
	cof_stage_ask(stage);
	pthread_join(stage->thread, NULL);
	cof_stage_stack_free(&stage->stack);
}
