/*
 * start.c - a timer, looks, and one thread; see start.h
 */
#include "preload/start.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "base/onstack.h"
#include "base/rawcall.h"
#include "base/units.h"
#include "preload/native.h"
#include "preload/program_text.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* glibc has no name for it */
#endif

#define SIGNAL      SIGURG
#define LOOK_NS     COF_MS_NS
#define LOOKS       8u
#define STACK_BYTES ((size_t)256 << 10)	/* to make a thread, to attach */
#define OPENS_BYTES ((size_t)2 << 20)	/* to open libcof's side */

static int             timer;
static _Atomic bool    has_timer;
static _Atomic bool    claimed;		/* a thread is made, or was */
static uint64_t        blocked_before;	/* at the last look */
static unsigned        looks;		/* that found the same blocked */

static const char cookie;

/* The defaults of options. */
enum {
#define COF_OPT_UINT(name, who, value, ...) DEFAULT_##name = value,
#define COF_OPT_BOOL(...)
#define COF_OPT_ENUM(...)
#define COF_OPT_STR(...)
#include "options/opts.def"
};

static uint64_t start_ms = DEFAULT_start_ms;

/* -- The timer ------------------------------------------------------------- */

static void end_timer(void)
{
	if (atomic_exchange(&has_timer, false))
		cof_raw(SYS_timer_delete, timer, 0, 0, 0);
}

/* By system calls alone, as in cof/sampler/child_start.c. */
static void make_timer(void)
{
	const uint64_t first_ns = start_ms * COF_MS_NS + 1; /* 0: no timer */
	const struct itimerspec every = {
		.it_value.tv_sec = (time_t)(first_ns / COF_S_NS),
		.it_value.tv_nsec = (long)(first_ns % COF_S_NS),
		.it_interval.tv_nsec = LOOK_NS,
	};
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGNAL,
		.sigev_value.sival_ptr = (void *)(uintptr_t)&cookie,
	};

	event.sigev_notify_thread_id = (int)cof_raw_gettid();
	if (cof_raw(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, (long)&event,
		    (long)&timer, 0) != 0)
		return;
	atomic_store(&has_timer, true);
	cof_raw(SYS_timer_settime, timer, 0, (long)&every, 0);
}

/* -- Opening --------------------------------------------------------------- */

/* The namespace's objects must not be destroyed while libcof works, which
 * exit(3) does after this. */
static void on_exit_stop(void)
{
	const struct cofl_events *events;

	if (native_forgo())
		return;
	native_hold();		/* whoever opens it is done */
	events = native_events();
	native_leave();
	if (events != NULL && events->exits != NULL)
		events->exits();
}

static void *open_aside(void *unused)
{
	(void)unused;
	native_open();
	return NULL;
}

static void make_thread(void *unused)
{
	pthread_attr_t attr;
	pthread_t thread;

	(void)unused;
	atexit(on_exit_stop);
	at_quick_exit(on_exit_stop);
	if (pthread_attr_init(&attr) != 0)
		return;
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, OPENS_BYTES);
	if (pthread_create(&thread, &attr, open_aside, NULL) != 0)
		native_forgo();
	pthread_attr_destroy(&attr);
}

static void attach(void *unused)
{
	const struct cofl_events *events = native_events();

	(void)unused;
	if (events != NULL && events->thread_begins != NULL)
		events->thread_begins();
}

/* -- In the handler -------------------------------------------------------- */

/* The program's alternate stack may be small. False: no memory. */
static bool on_own_stack(void (*f)(void *))
{
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK |
			   MAP_NORESERVE, -1, 0);

	if (stack == MAP_FAILED)
		return false;
	cof_onstack(stack + STACK_BYTES, f, NULL);
	munmap(stack, STACK_BYTES);
	return true;
}

static bool may_be_in_handler(const sigset_t *blocked)
{
	uint64_t mask;

	memcpy(&mask, blocked, sizeof(mask));
	if (mask == 0)
		return false;
	if (mask != blocked_before)
		looks = 0;
	blocked_before = mask;
	return ++looks < LOOKS;
}

static void look(const ucontext_t *context)
{
	if (!program_text_holds((uintptr_t)
				context->uc_mcontext.gregs[REG_RIP]) ||
	    may_be_in_handler(&context->uc_sigmask))
		return;
	if (!atomic_exchange(&claimed, true)) {
		on_own_stack(make_thread);
	} else if (native_is_decided()) {
		end_timer();
		on_own_stack(attach);
	}
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int error = errno;

	(void)sig;
	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &cookie &&
	    atomic_load(&has_timer))
		look(context);
	errno = error;
}

/* The last value counts. */
static void read_option(const char *options)
{
	static const char name[] = "start_ms=";
	const char *at = options;

	while ((at = strstr(at, name)) != NULL) {
		bool is = at == options || at[-1] == ',';

		at += sizeof(name) - 1;
		if (is && *at >= '0' && *at <= '9')
			start_ms = strtoul(at, NULL, 10);
	}
}

void start_init(const char *options)
{
	read_option(options);
}

void start_begin(void)
{
	struct sigaction act = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	};

	sigfillset(&act.sa_mask);
	if (sigaction(SIGNAL, &act, NULL) == 0)
		make_timer();
}

int start_signal(void)
{
	return atomic_load(&has_timer) ? SIGNAL : 0;
}
