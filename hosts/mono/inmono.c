/*
 * inmono.c - attach once, then in and out
 */
#include "inmono.h"

#include "host.h"
#include "internals.h"

static _Thread_local bool ours;

bool cofm_is_ours(void)
{
	return ours;
}

static void attach(struct cofm *host)
{
	char *thread;

	ours = true;	/* threads.c is told of it meanwhile */
	mono_thread_attach(host->domain);
	thread = mono_thread_internal_current();
	mono_thread_set_state(thread, COFM_THREAD_BACKGROUND);
	__atomic_fetch_or((size_t *)(void *)(thread + COFM_INTERNAL_FLAGS),
			  COFM_DONT_MANAGE, __ATOMIC_SEQ_CST);
}

bool cofm_enter(struct cofm *host)
{
	if (!atomic_load_explicit(&host->running, memory_order_acquire))
		return false;
	if (!ours)
		attach(host);
	mono_thread_info_set_flags(COFM_INFO_NO_SAMPLE);
	return true;
}

void cofm_leave(void)
{
	mono_thread_info_set_flags(COFM_INFO_NO_SAMPLE | COFM_INFO_NO_GC);
}
