/*
 * barrier.c - membarrier(2), and whether it works for an instance
 */
#include "process/barrier.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "instance.h"

static int membarrier(int command)
{
	return (int)syscall(SYS_membarrier, command, 0, 0);
}

int cof_barrier_sync_core(void)
{
	if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE) == 0)
		return 0;
	/*
	 * EPERM: the process is not registered yet. To register twice is
	 * harmless, so it does not matter which thread was first, or whether a
	 * fork's child inherited it.
	 */
	if (errno != EPERM ||
	    membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE) !=
		    0)
		return -COF_E_PERM;
	return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE) == 0 ?
		0 : -COF_E_PERM;
}

bool cof_barrier(struct cof *cof)
{
	cof_count_add_shared(&cof->flow->patcher.barriers, 1);
	if (cof_barrier_sync_core() == 0)
		return true;
	atomic_store_explicit(&cof->can_sync, -1, memory_order_relaxed);
	return false;
}

/* If a barrier fails meanwhile, its result counts. */
bool cof_barrier_works(struct cof *cof)
{
	int unknown = 0, can;

	can = atomic_load_explicit(&cof->can_sync, memory_order_relaxed);
	if (can != 0)
		return can > 0;
	can = cof_barrier_sync_core() == 0 ? 1 : -1;
	cof_count_add_shared(&cof->flow->patcher.barriers, 1);
	if (atomic_compare_exchange_strong_explicit(&cof->can_sync, &unknown,
						    can, memory_order_relaxed,
						    memory_order_relaxed))
		return can > 0;
	return unknown > 0;
}

bool cof_barrier_failed(const struct cof *cof)
{
	return atomic_load_explicit((_Atomic int *)&cof->can_sync,
				    memory_order_relaxed) < 0;
}
