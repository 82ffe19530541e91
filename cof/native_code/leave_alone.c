/*
 * leave_alone.c - callers of methods whose native code the program writes to;
 * patcher/left_alone.h says what is done
 */
#include "codemem/codemem.h"
#include "instance.h"
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

/* The next method of the list that must have another version, from m on. NULL:
 * there is none. What is behind a method in the list never changes. */
static struct cof_method *next_stale(struct cof *cof, struct cof_method *m)
{
	pthread_mutex_lock(&cof->code_lock);
	while (m && !is_stale(m))
		m = m->code.next;
	pthread_mutex_unlock(&cof->code_lock);
	return m;
}

/* Methods from m on. One whose first version has a copy goes back to that. */
static void replace_stale(struct cof *cof, struct cof_method *m,
			  void (*rebuild)(void *ctx, void *method), void *ctx)
{
	while ((m = next_stale(cof, m)) != NULL) {
		if (!cof_first_again(m) && rebuild)
			rebuild(ctx, m->data);
		m = m->code.next;
	}
}

/* -- All of it ------------------------------------------------------------- */

/* [code] False: it is so already. */
static bool leave(const struct cof_own_entry *own)
{
	struct cof_method *method = own->method;
	struct cof_version *copy = method->code.copy;
	struct cof *cof = method->cof;

	if (cof_method_left_alone(method))
		return false;
	cof_stub_lead(cof, method->stub, (uintptr_t)own->entry);
	if (copy)
		atomic_store_explicit(&copy->code.copy_of->code.led, false,
				      memory_order_relaxed);
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
	struct cof_method *methods;
	int n = 0;

	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_own(cof->codemem);
	if (!cof_codemem_range(cof->codemem)->closed)
		for (size_t i = 0; i < n_list; i++)
			n += leave(&list[i]);
	methods = cof->methods;
	pthread_mutex_unlock(&cof->code_lock);
	if (n != 0) {
		cof_barrier(cof);
		replace_stale(cof, methods, rebuild, ctx);
	}
	return n;
}

int cof_method_is_left_alone(const struct cof_method *method)
{
	return method != NULL && cof_method_left_alone(method);
}
