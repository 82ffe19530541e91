/*
 * attach.c - attach a thread once; enter and leave Mono
 */
#include "vm/attach.h"

#include <setjmp.h>
#include <signal.h>

#include "vm/host.h"
#include "vm/internals.h"
#include "vm/hidden_threads.h"

/*
 * Libcof's threads run with all signals blocked. A thread may wait for a lock
 * of Mono's while a collection begins. Then Mono stops it by a signal, and the
 * collection waits for its answer. So these signals are unblocked. So are those
 * by which Mono throws: to look at a method may execute code of the program's,
 * and the kernel ends a process that blocks a signal of this kind.
 */
static void take_monos_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigaddset(&set, SIGBUS);
	sigaddset(&set, SIGFPE);
	sigaddset(&set, SIGILL);
	sigaddset(&set, SIGABRT);
	sigaddset(&set, mono_threads_suspend_get_suspend_signal());
	sigaddset(&set, mono_threads_suspend_get_restart_signal());
	sigaddset(&set, mono_threads_suspend_get_abort_signal());
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/*
 * When the program ends, Mono attaches no thread any more: mono_thread_attach()
 * sleeps for ever instead. A thread that joins this one would wait as long. In
 * that sleep the thread holds no lock, so a longjmp() leaves it.
 */
static _Thread_local jmp_buf *refused;

int __wrap_mono_thread_info_sleep(uint32_t ms, MonoBoolean *alerted)
{
	if (refused)
		longjmp(*refused, 1);
	return __real_mono_thread_info_sleep(ms, alerted);
}

static bool attach_thread(struct cofm *host)
{
	jmp_buf here;

	if (setjmp(here) != 0) {
		refused = NULL;
		return false;
	}
	refused = &here;
	mono_thread_attach(host->domain);
	refused = NULL;
	return true;
}

static bool attach(struct cofm *host)
{
	char *thread;

	cofm_hidden_threads_add();
	take_monos_signals();
	if (!attach_thread(host)) {
		cofm_hidden_threads_drop();
		cofm_attach_leave();
		atomic_store_explicit(&host->running, false,
				      memory_order_release);
		return false;
	}
	thread = mono_thread_internal_current();
	mono_thread_set_state(thread, COFM_THREAD_BACKGROUND);
	__atomic_fetch_or((size_t *)(void *)(thread + COFM_INTERNAL_FLAGS),
			  COFM_DONT_MANAGE, __ATOMIC_SEQ_CST);
	cofm_hidden_threads_name(thread);
	return true;
}

bool cofm_attach_enter(struct cofm *host)
{
	if (!atomic_load_explicit(&host->running, memory_order_acquire))
		return false;
	if (!cofm_hidden_threads_is_current() && !attach(host))
		return false;
	mono_thread_info_set_flags(COFM_INFO_NO_SAMPLE);
	return true;
}

void cofm_attach_leave(void)
{
	mono_thread_info_set_flags(COFM_INFO_NO_SAMPLE | COFM_INFO_NO_GC);
}
