/*
 * version.c - the host adds a version, or looks up the version at an address
 */
#include "code/version.h"

#include "code/jitinfo.h"
#include "history/history.h"
#include "instance.h"
#include "optimizer/optimizer.h"
#include "patcher/patcher.h"

int cof_version_add(struct cof_method *method,
		    const struct cof_version_desc *desc)
{
	struct cof_version *version;
	bool first;	/* of the method's life */
	int err;

	if (!method)
		return -COF_E_INVAL;
	version = cof_patcher_prepare(method, desc, &err);
	if (!version)
		return err;
	first = version->number == 0 ||	/* not valid after install() */
		atomic_exchange_explicit(&method->code.is_unloaded, false,
					 memory_order_relaxed);
	cof_patcher_install(version, NULL, true);
	if (first) {
		cof_optimizer_compiled(method->cof, method);
		cof_history_arrived(method->cof, method);
	}
	return 0;
}

/* The lock is needed: the caller has no role whose turns reclaim waits for. */
int cof_version_find(struct cof *cof, const void *in,
		     struct cof_method **method, unsigned *number)
{
	const struct cof_version *version;

	pthread_mutex_lock(&cof->code_lock);
	version = cof_jitinfo_find(cof->index, (uintptr_t)in);
	if (version) {
		*method = version->method;
		*number = version->number;
	}
	pthread_mutex_unlock(&cof->code_lock);
	return version != NULL;
}
