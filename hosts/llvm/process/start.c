/*
 * start.c - a timer, looks, and one thread; see start.h
 */
#include "process/start.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/handler_stack.h"
#include "base/libc_signal.h"
#include "base/rawcall.h"
#include "base/units.h"
#include "options/tuning.h"
#include "own_threads/libc_locks.h"
#include "own_threads/linker_malloc.h"
#include "process/attach.h"
#include "process/finisher.h"
#include "process/former_action.h"
#include "process/interrupted_call.h"
#include "preload/code_writes.h"
#include "preload/hazard.h"
#include "preload/native.h"
#include "preload/program_text.h"
#include "preload/rtld_next.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid	/* glibc has no name for it */
#endif

#define LOOK_NS     COF_MS_NS
#define STACK_BYTES ((size_t)256 << 10)	/* to make a thread, to attach */

static struct cof_former_action former;	/* for what is not the timer's */

static int          timer;
static _Atomic int  has_timer;
static long         process;		/* its number */
static int          looked_at;		/* the main thread's number */
static uint64_t     blocked_before;	/* at the last look */
static unsigned     looks;		/* that found the same blocked */

static _Thread_local bool is_looked_at;	/* the timer's signal comes here */
static _Thread_local bool is_settled;	/* it is attached, or need not be */

/* libc's functions leave the signal out of a mask that they set: so it comes in
 * its own handler, while that opens or attaches. */
static _Thread_local volatile bool is_looking;

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

enum { NONE, MAKING, MADE };

static bool change_timer(int from, int to)
{
	return atomic_compare_exchange_strong(&has_timer, &from, to);
}

static void end_timer(void)
{
	if (change_timer(MADE, NONE))
		cof_raw(SYS_timer_delete, timer, 0, 0, 0);
}

/* Signals from `first_ns` of the thread's CPU time on. */
static void set_timer(uint64_t first_ns)
{
	const struct itimerspec every = {
		.it_value.tv_sec = (time_t)(first_ns / COF_S_NS),
		.it_value.tv_nsec = (long)(first_ns % COF_S_NS),
		.it_interval.tv_nsec = LOOK_NS,
	};

	cof_raw(SYS_timer_settime, timer, 0, (long)&every, 0);
}

/* The CPU clock of a thread of this process, as pthread_getcpuclockid(3) gives
 * it: 4 is "of a thread", 2 the time that it ran. */
static clockid_t clock_of(int tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 6u);
}

/* By system calls alone, as in cof/sampler/child_start.c, on any thread. On the
 * looked-at thread's own clock: a signal must not come while it sleeps. */
static void make_timer(uint64_t first_ns)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = START_SIGNAL,
		.sigev_value.sival_ptr = (void *)(uintptr_t)&cookie,
	};
	long err;

	if (!change_timer(NONE, MAKING))
		return;
	event.sigev_notify_thread_id = looked_at;
	err = cof_raw(SYS_timer_create, clock_of(looked_at), (long)&event,
		      (long)&timer, 0);
	if (err == 0)
		set_timer(first_ns);
	atomic_store(&has_timer, err == 0 ? MADE : NONE);
}

void start_look_soon(void)
{
	if (atomic_load(&has_timer) == MADE)
		set_timer(LOOK_NS);
	else
		make_timer(LOOK_NS);
}

/* For the calling thread; start_ms of 0 is no timer to the kernel. */
static void begin_timer(void)
{
	looked_at = (int)cof_raw_gettid();
	atomic_store(&has_timer, NONE);
	make_timer(native_is_closed() ? start_ms * COF_MS_NS + 1 : LOOK_NS);
}

/* -- Opening --------------------------------------------------------------- */

/* exit(3) destroys the namespace's objects after this, so libcof must have
 * stopped, and nobody open it any more. */
static void on_exit_stop(void)
{
	const struct cofl_events *events;

	native_forgo();
	libc_locks_for_good();
	events = native_events();
	if (events != NULL && events->exits != NULL)
		events->exits();
	if (events != NULL && events->unfinished != NULL &&
	    events->unfinished(finisher_may))
		finisher_start();
}

static void prepare_exit(void)
{
	static _Atomic bool registered;

	if (!atomic_exchange(&registered, true)) {
		atexit(on_exit_stop);
		at_quick_exit(on_exit_stop);
	}
}

static void opened(void)
{
	hazard_opened();
	code_writes_opened();
}

static void open_aside(void *unused)
{
	(void)unused;
	prepare_exit();
	native_open_aside(opened);
}

static void attach(void *unused)
{
	(void)unused;
	attach_begin();
}

/* Nobody looks any more. */
static void end(void)
{
	end_timer();
	is_looked_at = false;
}

bool start_now(void)
{
	uint64_t before;

	libc_locks_for_good();
	if (native_is_decided() && !is_looked_at)
		return native_events() != NULL;
	cof_raw_block_signals(&before);
	prepare_exit();
	native_open(opened);
	if (!native_is_decided())
		hazard_note("a thread began while libcof did");
	else if (is_looked_at) {
		end();
		attach_begin();
	}
	cof_raw_set_signals(&before);
	return !native_is_decided() || native_events() != NULL;
}

bool start_is_process(void)
{
	return cof_raw(SYS_getpid, 0, 0, 0, 0) == process;
}

void start_forgo(void)
{
	uint64_t before;

	cof_raw_block_signals(&before);
	native_forgo();
	if (is_looked_at)
		end();
	cof_raw_set_signals(&before);
}

/* -- In the handler -------------------------------------------------------- */

static bool on_own_stack(void (*f)(void *))
{
	bool done;

	linker_malloc_depth++;
	done = cof_handler_stack_run(STACK_BYTES, f, NULL);
	linker_malloc_depth--;
	return done;
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
	return ++looks < COF_TUNE_FIXED(blocked_looks);
}

/* A thread that is not the program's may want a look at any moment, also the
 * one that could not open libcof's side. */
static void rest(void)
{
	end_timer();
	if (libc_locks_want_look())
		start_look_soon();
}

/* Is it the executable's code, or what libcof built of it? */
static bool is_programs(uintptr_t pc)
{
	const struct cofl_events *events = native_events();
	struct dl_find_object found;

	return program_text_holds(pc) ||
	       (events != NULL && events->find_object != NULL &&
		events->find_object((const void *)pc, &found));
}

static void look(ucontext_t *context)
{
	uintptr_t pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];

	if (!is_settled && is_programs(pc) &&
	    !may_be_in_handler(&context->uc_sigmask)) {
		if (native_is_closed())
			on_own_stack(open_aside);
		else if (native_is_decided())
			is_settled = on_own_stack(attach);
	}
	libc_locks_look(pc);
	if (is_settled && !libc_locks_want_look())
		rest();
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	int error = errno;

	if (info->si_code != SI_TIMER) {
		cof_former_action_run(&former, sig, info, context);
	} else if (info->si_value.sival_ptr == &cookie && is_looked_at &&
		   !is_looking) {
		is_looking = true;
		look(context);
		if (is_looked_at)
			cof_interrupted_call_end(context);
		is_looking = false;
	}
	errno = error;
}

/* -- Forks ----------------------------------------------------------------- */

/* A child has no timers. It waits for its own CPU time, if libcof's side was
 * not open or this thread not attached. */
static void in_child(void)
{
	process = cof_raw(SYS_getpid, 0, 0, 0, 0);
	looked_at = (int)cof_raw_gettid();
	atomic_store(&has_timer, NONE);
	native_forked();
	if (is_looked_at &&
	    !(native_is_decided() && native_events() == NULL))
		begin_timer();
}

STAND_IN
pid_t fork(void)
{
	pid_t pid;

	libc_locks_fork();
	pid = rtld_next.fork();
	if (pid != 0)
		libc_locks_parent();
	return pid;
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

void start_begin(const char *options)
{
	struct sigaction act = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK,
	}, old;

	read_option(options);
	process = cof_raw(SYS_getpid, 0, 0, 0, 0);
	sigfillset(&act.sa_mask);
	if (pthread_atfork(native_hold, native_leave, in_child) != 0 ||
	    cof_libc_signal_action(START_SIGNAL, NULL, &old) != 0)
		return;
	cof_former_action_set(&former, &old);
	cof_libc_signal_action(START_SIGNAL, &act, NULL);
	is_looked_at = true;
	begin_timer();
}
