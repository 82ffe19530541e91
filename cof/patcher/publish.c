/*
 * publish.c - lead everything that reaches a method to a version
 *
 * Orderings, by letter:
 *
 *	publish (code lock)                  others
 *	bind the version's sites
 *	store-release current     (A)        cof_method_current(): acquire (B)
 *	lead the stub             (insn.h)
 *	store-release entry       (C)        cof_stub_first_call(): acquire (D)
 *
 * A pairs with B: a thread that sees the version sees its record. C pairs with
 * D: a thread that sees an entry sees that the stub leads to one, so it does
 * not come back to the trampoline in vain.
 */
#include "patcher/publish.h"

#include "instance.h"
#include "patcher/counting_thunk.h"
#include "patcher/site.h"
#include "patcher/slot.h"
#include "patcher/stub.h"

void cof_publish_entry(struct cof_method *method, uintptr_t entry)
{
	if (method->thunk.callers == COF_THUNKED_ALL)
		entry = method->thunk.address;
	else if (method->thunk.callers == COF_THUNKED_SITES)
		entry = method->thunk.address + COF_COUNTING_THUNK_PAST;
	if (method->code.second)
		cof_stub_lead(method->cof, method->code.second, entry);
	if (!cof_method_left_alone(method))
		cof_stub_lead(method->cof, method->stub, entry);
	atomic_store_explicit(&method->entry, entry,
			      memory_order_release);	/* C */
	cof_sites_follow(method);
	cof_slots_follow(method);
}

/*
 * The version's own sites are bound first: a thread may enter as soon as the
 * stub leads there. Its calls of its own method are bound to the former entry
 * then, and follow with all other sites.
 */
void cof_publish(struct cof_version *v)
{
	struct cof_method *method = v->method;

	if (!v->links.bound)
		cof_sites_bind(v);
	v->state = COF_VERSION_CURRENT;
	atomic_store_explicit(&method->current, v,
			      memory_order_release);	/* A */
	if (method->thunk.address)
		cof_counting_thunk_lead(method, v->code.entry);
	if (method->thunk.callers == COF_THUNKED_NO)
		cof_publish_entry(method, v->code.entry);
}

void cof_publish_park(struct cof_version *v)
{
	v->state = COF_VERSION_PARKED;
	cof_count_add(&v->method->cof->flow->patcher.parked, 1);
}
