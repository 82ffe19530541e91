/*
 * child_start.c - a timer, looks, and one thread; see child_start.h
 */
#include "sampler/child_start.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "base/clock.h"
#include "base/rawcall.h"
#include "base/units.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "process/forked.h"
#include "process/own_threads.h"
#include "process/process.h"
#include "process/stage.h"
#include "sampler/sampler_private.h"
#include "threads/threads.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* glibc has no name for it */
#endif

#define LOOK_NS     (20 * COF_MS_NS)
#define LOOKS       8u
#define STACK_BYTES ((size_t)64 << 10)	/* for pthread_create(3) */

/* -- Waiting --------------------------------------------------------------- */

/* May the loop still begin in this process? */
static bool may_begin(const struct cof *cof)
{
	return cof_forked_is_child(cof) && !cof_is_quiet(cof) &&
	       !atomic_load_explicit((_Atomic bool *)&cof->stopped,
				     memory_order_relaxed) &&
	       atomic_load_explicit((_Atomic uint32_t *)&cof->child_begins,
				    memory_order_relaxed) !=
		       cof_forked_count();
}

/*
 * By system calls alone. In a child a libc function that the parent has not
 * called yet is bound first, which takes a dozen page faults. False: no timer.
 */
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

void cof_child_start_arm(struct cof *cof, struct cof_thread *t)
{
	const struct cof_sampler *s = cof->sampler;

	if (cof->opts.fork_start_ms == 0 || !cof->host.child_begins ||
	    cof->stepped || !s->signalled || !s->hooks || !may_begin(cof) ||
	    cof_codemem_range(cof->codemem)->closed)
		return;
	t->has_child_timer = make_timer(cof, t);
}

void cof_child_start_end(struct cof_thread *t)
{
	if (t->has_child_timer)
		cof_raw(SYS_timer_delete, t->child_timer, 0, 0, 0);
	t->has_child_timer = false;
}

/* The word is the count of forks, so that a child of this one is not meant. */
static bool claim(struct cof *cof)
{
	uint32_t forks = cof_forked_count();

	return atomic_exchange_explicit(&cof->child_begins, forks,
					memory_order_acq_rel) != forks;
}

void cof_child_start_forgo(struct cof *cof)
{
	(void)claim(cof);
}

/* -- The thread ------------------------------------------------------------ */

static void *run(void *arg)
{
	struct cof *cof = arg;

	cof_own_threads_enter();
	pthread_setname_np(pthread_self(), "cof-child");
	pthread_mutex_lock(&cof->threads->lock);
	for (struct cof_thread *t = cof->threads->list; t; t = t->next)
		cof_child_start_end(t);
	pthread_mutex_unlock(&cof->threads->lock);
	cof->begin_in_child(cof);
	cof_own_threads_leave();
	return NULL;
}

static void make_thread(void *arg)
{
	pthread_attr_t attr;
	pthread_t thread;

	if (pthread_attr_init(&attr) != 0)
		return;
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* Its memory is not from the program's allocator. */
	cof_compile_enter();
	cof_stage_thread(&thread, &attr, run, arg);
	cof_compile_leave();
	pthread_attr_destroy(&attr);
}

/* Call f on a stack of its own: the program's alternate stack may be small. */
static void on_stack(void *top, void (*f)(void *arg), void *arg)
{
	__asm__ volatile("movq %%rsp, %%rbx\n\t"
			 "movq %0, %%rsp\n\t"
			 "call *%1\n\t"
			 "movq %%rbx, %%rsp"
			 : "+a"(top), "+c"(f), "+D"(arg)
			 :
			 : "rbx", "rdx", "rsi", "r8", "r9", "r10", "r11", "cc",
			   "memory", "st", "st(1)", "st(2)", "st(3)", "st(4)",
			   "st(5)", "st(6)", "st(7)", "xmm0", "xmm1", "xmm2",
			   "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
			   "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
			   "xmm15");
}

static void begin(struct cof *cof)
{
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED)
		return;
	on_stack(stack + STACK_BYTES, make_thread, cof);
	munmap(stack, STACK_BYTES);
}

/* -- In the handler -------------------------------------------------------- */

bool cof_child_start_is(const siginfo_t *info)
{
	return info->si_code == SI_TIMER &&
	       info->si_value.sival_ptr ==
		       &cof_process_signal_cookie[COF_COOKIE_CHILD];
}

/* Was the program in a handler of its own when the signal came? */
static bool may_be_in_handler(struct cof_thread *t, const ucontext_t *uc)
{
	uint64_t mask;

	memcpy(&mask, &uc->uc_sigmask, sizeof(mask));
	if (mask == 0)
		return false;
	if (mask != t->child_mask)
		t->child_looks = 0;
	t->child_mask = mask;
	return ++t->child_looks < LOOKS;
}

void cof_child_start_look(struct cof_thread *t, const void *ucontext)
{
	const ucontext_t *uc = ucontext;
	uintptr_t pc = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
	struct cof *cof = t->cof;

	if (!cof || !may_begin(cof) ||
	    !cof_codemem_holds(cof->codemem, pc, pc + 1) ||
	    may_be_in_handler(t, uc) || !claim(cof))
		return;
	begin(cof);
}
