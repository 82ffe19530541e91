/*
 * left_alone.c - see left_alone.h
 *
 * A stub is rewritten in three steps, since a thread may run it: to a jump
 * behind it, which is one store; then its second half, which nobody reads then;
 * then its first half. A barrier is between them.
 */
#include "patcher/left_alone.h"

#include "codemem/codemem.h"
#include "instance.h"
#include "memory/mem.h"
#include "patcher/insn.h"
#include "patcher/site.h"
#include "patcher/slot.h"
#include "patcher/stub.h"
#include "process/barrier.h"

/* movabs $to, %r11; jmp *%r11; nop */
static uint64_t first_half(uintptr_t to)
{
	return UINT64_C(0xbb49) | (uint64_t)to << 16;
}

static uint64_t second_half(uintptr_t to)
{
	return UINT64_C(0x001f0fe3ff410000) | (uint64_t)to >> 48;
}

/* [code] A second stub for the method, not in [lo, hi); 0: none is left. */
static uintptr_t make_behind(struct cof_method *method, uintptr_t lo,
			     uintptr_t hi)
{
	uintptr_t behind;

	do {
		behind = cof_stub_make(method->cof, method, 1);
	} while (behind >= lo && behind < hi);
	return behind;
}

/* [code] False: it is so already, or cannot be. */
static bool leave(struct cof_method *method, uintptr_t lo, uintptr_t hi)
{
	struct cof *cof = method->cof;
	uintptr_t entry = atomic_load_explicit(&method->entry,
					       memory_order_relaxed);
	uintptr_t behind;

	if (method->stub + COF_LEFT_ALONE_BYTES <= lo || method->stub >= hi ||
	    cof_method_behind(method) != 0)
		return false;
	behind = make_behind(method, lo, hi);
	if (behind == 0)
		return false;
	if (entry != 0)
		cof_stub_lead(cof, behind, entry);
	cof_stub_lead(cof, method->stub, behind);
	atomic_store_explicit(&method->code.behind, behind,
			      memory_order_relaxed);
	cof_sites_follow(method);
	cof_slots_follow(method);
	cof_count_add(&cof->flow->patcher.left_alone, 1);
	return true;
}

enum half { SECOND, FIRST };

/* Write this half of the stubs in [lo, hi) that lead behind themselves. */
static void write_half(struct cof *cof, uintptr_t lo, uintptr_t hi,
		       enum half half)
{
	pthread_mutex_lock(&cof->code_lock);
	for (struct cof_method *m = cof->methods; m; m = m->code.next) {
		uintptr_t behind = cof_method_behind(m);
		uint64_t *write;

		if (behind == 0 || m->stub < lo || m->stub >= hi ||
		    m->code.is_final)
			continue;
		write = cof_codemem_write(cof->codemem, m->stub);
		if (half == SECOND)
			cof_insn_store64(write + 1, second_half(behind));
		else
			cof_insn_store64(write, first_half(behind));
		m->code.is_final = half == FIRST;
	}
	pthread_mutex_unlock(&cof->code_lock);
	cof_barrier(cof);
}

bool cof_left_alone_inlined(const struct cof_version *version)
{
	for (uint32_t i = 0; i < version->links.n_inlined; i++)
		if (cof_method_behind(version->links.inlined[i]) != 0)
			return true;
	return false;
}

/* [code] May it have code of a method that is left alone? A version of plan
 * speed does not say what it has inlined. */
static bool is_stale(const struct cof_version *version)
{
	return version && (version->plan == COF_PLAN_SPEED ||
			   cof_left_alone_inlined(version));
}

/* [code] The data of methods that have to be built anew: an array, to be freed.
 * NULL: there are none, or no memory. */
static void **find_stale(struct cof *cof, size_t *n)
{
	struct cof_method *m;
	void **list = NULL;
	size_t room = 0;

	*n = 0;
	for (m = cof->methods; m; m = m->code.next)
		room += is_stale(atomic_load_explicit(&m->current,
						      memory_order_relaxed));
	if (room != 0)
		list = cof_mem_alloc(room * sizeof(*list));
	for (m = cof->methods; m && list; m = m->code.next)
		if (is_stale(atomic_load_explicit(&m->current,
						  memory_order_relaxed)))
			list[(*n)++] = m->data;
	return list;
}

/* Without a lock. */
static bool may_have_stubs(const struct cof *cof, uintptr_t lo, uintptr_t hi)
{
	const struct cof_code_range *range = cof_codemem_range(cof->codemem);
	uintptr_t exec = (uintptr_t)range->exec;

	return lo < exec + range->bytes && hi > exec;
}

int cof_leave_alone(struct cof *cof, const void *from, size_t bytes,
		    void (*rebuild)(void *ctx, void *method), void *ctx)
{
	uintptr_t lo = (uintptr_t)from, hi = lo + bytes;
	void **stale = NULL;
	size_t n_stale = 0;
	int n = 0;

	if (!may_have_stubs(cof, lo, hi))
		return 0;
	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_keep(cof->codemem);
	if (!cof_codemem_range(cof->codemem)->closed)
		for (struct cof_method *m = cof->methods; m; m = m->code.next)
			n += leave(m, lo, hi);
	if (n != 0)
		stale = find_stale(cof, &n_stale);
	pthread_mutex_unlock(&cof->code_lock);
	if (n != 0 && cof_barrier(cof)) {
		write_half(cof, lo, hi, SECOND);
		write_half(cof, lo, hi, FIRST);
	}
	for (size_t i = 0; i < n_stale; i++)
		rebuild(ctx, stale[i]);
	cof_mem_free(stale);
	return n;
}

int cof_method_is_left_alone(const struct cof_method *method)
{
	return method != NULL && cof_method_behind(method) != 0;
}
