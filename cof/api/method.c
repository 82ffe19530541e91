/*
 * method.c - methods: the host adds them, and the instance frees them
 */
#include "api/method.h"

#include "instance.h"
#include "measure/expected_gain.h"
#include "memory/mem.h"
#include "patcher/slot.h"
#include "patcher/stub.h"
#include "native_code/version_copy.h"
#include "reclaim/reclaim.h"

int cof_method_add(struct cof *cof, const char *name, void *data,
		   struct cof_method **out)
{
	struct cof_method *method;

	if (!cof || !name || !out)
		return -COF_E_INVAL;
	*out = NULL;
	method = cof_mem_alloc(sizeof(*method));
	if (!method)
		return -COF_E_NOMEM;
	method->cof = cof;
	method->data = data;
	atomic_init(&method->trial.gain_permille, COF_EXPECTED_GAIN_NONE);
	method->name = cof_mem_strdup(name);
	if (!method->name)
		goto fail;
	pthread_mutex_lock(&cof->code_lock);
	method->stub = cof_stub_make(cof, method);
	if (method->stub) {
		method->code.next = cof->methods;
		cof->methods = method;
	}
	pthread_mutex_unlock(&cof->code_lock);
	if (!method->stub)
		goto fail;
	cof_count_add_shared(&cof->flow->memory.methods, 1);
	*out = method;
	return 0;
fail:
	cof_mem_free(method->name);
	cof_mem_free(method);
	return -COF_E_NOMEM;
}

void *cof_method_stub(const struct cof_method *method)
{
	return (void *)method->stub;
}

/*
 * A host that holds the bare entry may call it from anywhere. So from now on
 * any sleeping thread counts as inside a replaced version of this method
 * (reclaim/scan.h).
 */
void *cof_method_entry(const struct cof_method *method)
{
	struct cof_method *m = (struct cof_method *)method;
	uintptr_t entry;

	pthread_mutex_lock(&m->cof->code_lock);
	m->code.raw_reach = true;
	entry = atomic_load_explicit(&m->entry, memory_order_relaxed);
	pthread_mutex_unlock(&m->cof->code_lock);
	return (void *)entry;
}

void *cof_method_data(const struct cof_method *method)
{
	return method->data;
}

const char *cof_method_name(const struct cof_method *method)
{
	return method->name;
}

uint64_t cof_method_samples(const struct cof_method *method)
{
	return atomic_load_explicit(
		&((struct cof_method *)(uintptr_t)method)->samples,
		memory_order_relaxed);
}

void cof_method_declined(struct cof_method *method, unsigned reason)
{
	if (reason <= method->cof->host.n_reasons)
		atomic_store_explicit(&method->build.improved.hosts, reason,
				      memory_order_relaxed);
}

void cof_method_free_all(struct cof *cof)
{
	const struct cof_host *host = &cof->host;
	struct cof_method *method, *next;

	for (method = cof->methods; method; method = next) {
		struct cof_version *v = atomic_load_explicit(
			&method->current, memory_order_relaxed);

		next = method->code.next;
		cof_version_copy_free(method);
		if (v)
			cof_reclaim_end(cof, v);
		if (method->build.ir && host->drop)
			host->drop(host->ctx, method->build.ir);
		cof_slots_free(method);
		cof_mem_free(method->name);
		cof_mem_free(method);
		cof_count_add_shared(&cof->flow->memory.methods, -(uint64_t)1);
	}
	cof->methods = NULL;
}
