/*
 * leave_alone.c - callers of methods whose native code the program writes to;
 * patcher/left_alone.h says what is done
 */
#include "codemem/codemem.h"
#include "instance.h"
#include "memory/mem.h"
#include "native_code/first_again.h"
#include "patcher/left_alone.h"
#include "patcher/site.h"
#include "patcher/slot.h"
#include "patcher/stub.h"
#include "process/barrier.h"

void *cof_method_second_stub(struct cof_method *method)
{
	struct cof *cof = method->cof;
	uintptr_t entry, second;

	pthread_mutex_lock(&cof->code_lock);
	if (method->code.second == 0) {
		method->code.second = cof_stub_make(cof, method);
		entry = atomic_load_explicit(&method->entry,
					     memory_order_relaxed);
		if (method->code.second != 0 && entry != 0)
			cof_stub_lead(cof, method->code.second, entry);
	}
	second = method->code.second;
	pthread_mutex_unlock(&cof->code_lock);
	return (void *)second;
}

/* -- What has them inlined ------------------------------------------------- */

/* [code] */
static bool is_stale(const struct cof_method *method)
{
	const struct cof_version *v = cof_method_current(method);

	return v && cof_left_alone_may_be_in(v);
}

/* [code] The methods that must have another version: an array, to be freed.
 * NULL: there are none, or no memory. */
static struct cof_method **find_stale(struct cof *cof, size_t *n)
{
	struct cof_method *m, **list = NULL;
	size_t room = 0;

	*n = 0;
	for (m = cof->methods; m; m = m->code.next)
		room += is_stale(m);
	if (room != 0)
		list = cof_mem_alloc(room * sizeof(*list));
	for (m = cof->methods; m && list; m = m->code.next)
		if (is_stale(m))
			list[(*n)++] = m;
	return list;
}

/* A method whose first version has a copy goes back to that. */
static void replace_stale(struct cof_method **stale, size_t n,
			  void (*rebuild)(void *ctx, void *method), void *ctx)
{
	for (size_t i = 0; i < n; i++)
		if (!cof_first_again(stale[i]) && rebuild)
			rebuild(ctx, stale[i]->data);
	cof_mem_free(stale);
}

/* -- All of it ------------------------------------------------------------- */

/* [code] False: it is so already. */
static bool leave(const struct cof_own_entry *own)
{
	struct cof_method *method = own->method;
	struct cof *cof = method->cof;

	if (cof_method_left_alone(method))
		return false;
	cof_stub_lead(cof, method->stub, (uintptr_t)own->entry);
	atomic_store_explicit(&method->code.left_alone, true,
			      memory_order_relaxed);
	cof_sites_follow(method);
	cof_slots_follow(method);
	atomic_fetch_add_explicit(&cof->left_alone, 1, memory_order_relaxed);
	cof_count_add(&cof->flow->patcher.left_alone, 1);
	return true;
}

int cof_leave_alone(struct cof *cof, const struct cof_own_entry *list,
		    size_t n_list, void (*rebuild)(void *ctx, void *method),
		    void *ctx)
{
	struct cof_method **stale = NULL;
	size_t n_stale = 0;
	int n = 0;

	pthread_mutex_lock(&cof->code_lock);
	if (!cof_codemem_range(cof->codemem)->closed)
		for (size_t i = 0; i < n_list; i++)
			n += leave(&list[i]);
	if (n != 0)
		stale = find_stale(cof, &n_stale);
	pthread_mutex_unlock(&cof->code_lock);
	if (n != 0)
		cof_barrier(cof);
	replace_stale(stale, n_stale, rebuild, ctx);
	return n;
}

int cof_method_is_left_alone(const struct cof_method *method)
{
	return method != NULL && cof_method_left_alone(method);
}
