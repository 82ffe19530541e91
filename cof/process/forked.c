/*
 * forked.c - a count of forks, and one word shared with all children
 */
#include "process/forked.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "instance.h"
#include "process/own_threads.h"

static COF_FORK_DATA _Atomic uint32_t forks;

/*
 * A child has no code memory of its own. On a page that stays shared with
 * children. Relaxed: it says nothing about anything else in memory.
 */
static _Atomic bool *child_shares;	/* constant once hooked */
static bool hooked;			/* likewise */

COF_FORK_CODE static void after_fork_in_child(void)
{
	atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
	cof_own_threads_in_child();
}

static void hook(void)
{
	void *page = mmap(NULL, sizeof(*child_shares), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	child_shares = page;	/* zero: none does */
	hooked = pthread_atfork(NULL, NULL, after_fork_in_child) == 0;
}

COF_FORK_CODE uint32_t cof_forked_count(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, hook);
	return atomic_load_explicit(&forks, memory_order_relaxed);
}

bool cof_forked_is_counted(void)
{
	(void)cof_forked_count();
	return hooked;
}

bool cof_forked_is_child(const struct cof *cof)
{
	return cof->forks != cof_forked_count();
}

bool cof_forked_child_shares(void)
{
	(void)cof_forked_count();
	return child_shares &&
	       atomic_load_explicit(child_shares, memory_order_relaxed);
}

void cof_forked_note_shared(void)
{
	atomic_store_explicit(child_shares, true, memory_order_relaxed);
}
