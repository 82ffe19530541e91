/*
 * idle_release.c - see idle_release.h
 */
#include "module/idle_release.h"

#include <stdlib.h>

#include <llvm-c/Core.h>

#include "cofl.h"
#include "ir/copy.h"
#include "module/drop_pages.h"

/* All IR was dropped, so nothing refers to the copies, and none is in use. */
static void dispose_pool(struct cofl *host)
{
	pthread_mutex_lock(&host->pool_lock);
	for (uint32_t i = 0; i < host->n_pool; i++)
		cofl_copy_dispose(host->pool[i]);
	free(host->pool);
	host->pool = NULL;
	host->n_pool = 0;
	pthread_mutex_unlock(&host->pool_lock);
}

static void give_back(void *unused)
{
	(void)unused;
	cofl_drop_pages_object((const void *)(uintptr_t)cofl_idle_release);
	cofl_drop_pages_object((const void *)(uintptr_t)LLVMContextCreate);
}

void cofl_idle_release(void *ctx)
{
	struct cofl *host = ctx;

	dispose_pool(host);
	cof_call_with_private_files(host->cof, give_back, NULL);
}
