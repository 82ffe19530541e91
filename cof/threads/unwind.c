/*
 * unwind.c - CFI steps by libunwind, on libcof's own tables; see unwind.h
 *
 * libunwind is opened, never linked. It defines _Unwind_RaiseException and its
 * kin, which in the program's scope would replace libgcc's and break C++
 * exceptions. RTLD_LOCAL keeps them out of that scope. RTLD_NOW keeps the
 * loader out of the handler.
 *
 * The store-release of `ready` (A) pairs with its load-acquire (B): a thread
 * that sees it true sees the functions and the address space.
 */
#include "threads/unwind.h"

#include <dlfcn.h>
#include <libunwind-x86_64.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/fork_code.h"
#include "base/fork_data.h"
#include "cof.h"
#include "threads/regions.h"
#include "threads/stack.h"

static COF_FORK_DATA struct {
	pthread_mutex_t  lock;
	bool             loading;	/* lock */
	bool             lost;		/* lock: not in this process */
	_Atomic bool     ready;		/* the fields below are set */
	unw_addr_space_t space;

	/* libunwind's. */
	unw_addr_space_t (*create)(unw_accessors_t *, int);
	int (*caching)(unw_addr_space_t, unw_caching_policy_t);
	int (*init)(unw_cursor_t *, unw_addr_space_t, void *);
	int (*step)(unw_cursor_t *);
	int (*get)(unw_cursor_t *, int, unw_word_t *);
	int (*search)(unw_addr_space_t, unw_word_t, unw_dyn_info_t *,
		      unw_proc_info_t *, int, void *);
} us = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* -- In the handler -------------------------------------------------------- */

/* What the accessors answer libunwind from. */
struct walk {
	struct cof_frame     f;
	uint64_t             hi;
	const struct cof_region *region;
	bool                 lookup;	/* inside find_proc_info */
};

static int find_proc_info(unw_addr_space_t space, unw_word_t ip,
			  unw_proc_info_t *out, int need, void *arg)
{
	struct walk *w = arg;
	const struct cof_region *r = w->region;
	unw_dyn_info_t di = {
		.start_ip = r->start, .end_ip = r->end,
		.format = UNW_INFO_FORMAT_REMOTE_TABLE,
		.u.rti.segbase = r->start,
		.u.rti.table_data = (unw_word_t)(uintptr_t)r->entry,
		/* In words, of which an entry is one. */
		.u.rti.table_len = r->n,
	};
	int ret;

	if (ip < r->start || ip >= r->end)
		return -UNW_ENOINFO;
	w->lookup = true;
	ret = us.search(space, ip, &di, out, need, arg);
	w->lookup = false;
	return ret;
}

static void put_unwind_info(unw_addr_space_t space, unw_proc_info_t *info,
			    void *arg)
{
	/* libunwind frees what its own search allocated. */
	(void)space;
	(void)info;
	(void)arg;
}

static int no_dyn_info(unw_addr_space_t space, unw_word_t *list, void *arg)
{
	(void)space;
	(void)list;
	(void)arg;
	return -UNW_ENOINFO;
}

static bool inside(uint64_t at, uint64_t lo, uint64_t hi)
{
	return at >= lo && at < hi && hi - at >= sizeof(unw_word_t);
}

/* libunwind asks for aligned words, also around the ends of .eh_frame. */
__attribute__((no_sanitize("address")))
static int access_mem(unw_addr_space_t space, unw_word_t at, unw_word_t *value,
		      int write, void *arg)
{
	const struct walk *w = arg;
	const struct cof_region *r = w->region;
	uint64_t table = (uint64_t)(uintptr_t)r->entry;

	(void)space;
	if (write || at % sizeof(unw_word_t) != 0)
		return -UNW_EINVAL;
	if (inside(at, cof_region_words(r), cof_region_words_end(r))) {
		memcpy(value, r->copy + (at - cof_region_words(r)),
		       sizeof(*value));
		return 0;
	}
	if (inside(at, w->f.sp, w->hi) ||
	    inside(at, table, table + r->n * sizeof(struct cof_region_entry))) {
		*value = *(const unw_word_t *)(uintptr_t)at;
		return 0;
	}
	/* While libunwind parses a CIE it reads the personality routine's
	 * address through a pointer. Nobody uses that address. */
	*value = 0;
	return w->lookup ? 0 : -UNW_EINVAL;
}

static int access_reg(unw_addr_space_t space, unw_regnum_t reg,
		      unw_word_t *value, int write, void *arg)
{
	const struct walk *w = arg;

	(void)space;
	if (write)
		return -UNW_EREADONLYREG;
	switch (reg) {
	case UNW_X86_64_RIP:
		*value = w->f.pc;
		return 0;
	case UNW_X86_64_RSP:
		*value = w->f.sp;
		return 0;
	case UNW_X86_64_RBP:
		*value = w->f.fp;
		return 0;
	default:
		return -UNW_EBADREG;	/* frames are found by sp or fp */
	}
}

static int no_fpreg(unw_addr_space_t space, unw_regnum_t reg,
		    unw_fpreg_t *value, int write, void *arg)
{
	(void)space;
	(void)reg;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

static int no_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static unw_accessors_t accessors = {
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = no_dyn_info,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = no_fpreg,
	.resume = no_resume,
};

static int step_in(const struct cof_region *r, struct cof_frame *f, bool call,
		   uint64_t hi)
{
	struct walk w = { .f = *f, .hi = hi, .region = r };
	unw_word_t pc, sp, fp;
	unw_cursor_t cursor;

	/* Use the row of the call itself: the code after it may be another
	 * function's. */
	if (call)
		w.f.pc--;
	if (us.init(&cursor, us.space, &w) != 0 || us.step(&cursor) <= 0 ||
	    us.get(&cursor, UNW_X86_64_RIP, &pc) != 0 ||
	    us.get(&cursor, UNW_X86_64_RSP, &sp) != 0 ||
	    us.get(&cursor, UNW_X86_64_RBP, &fp) != 0 ||
	    pc == 0 || sp <= f->sp || sp > hi)
		return -1;
	*f = (struct cof_frame){ .pc = pc, .sp = sp, .fp = fp };
	return 1;
}

int cof_unwind_step(struct cof_frame *f, bool call, uint64_t hi)
{
	const struct cof_region *r;
	int ret;

	if (!atomic_load_explicit(&us.ready, memory_order_acquire))	/* B */
		return 0;
	r = cof_regions_enter(call ? f->pc - 1 : f->pc);
	if (!r)
		return 0;
	ret = step_in(r, f, call, hi);
	cof_regions_leave();
	return ret;
}

/* -- Opening --------------------------------------------------------------- */

/* [lock] */
static bool load(void)
{
	void *h = dlopen("libunwind-x86_64.so.8", RTLD_NOW | RTLD_LOCAL);
	struct walk none = { 0 };
	unw_cursor_t cursor;

	if (!h)
		return false;
	*(void **)&us.create = dlsym(h, "_Ux86_64_create_addr_space");
	*(void **)&us.caching = dlsym(h, "_Ux86_64_set_caching_policy");
	*(void **)&us.init = dlsym(h, "_Ux86_64_init_remote");
	*(void **)&us.step = dlsym(h, "_Ux86_64_step");
	*(void **)&us.get = dlsym(h, "_Ux86_64_get_reg");
	*(void **)&us.search = dlsym(h, "_Ux86_64_dwarf_search_unwind_table");
	us.space = us.create && us.caching && us.init && us.step && us.get &&
		   us.search ? us.create(&accessors, 0) : NULL;
	if (!us.space) {
		dlclose(h);
		return false;
	}
	/* libunwind's cache goes by address, and addresses are used again. */
	us.caching(us.space, UNW_CACHE_NONE);
	/* libunwind sets itself up in its first call, which must not be in the
	 * handler. */
	us.init(&cursor, us.space, &none);
	atomic_store_explicit(&us.ready, true, memory_order_release);	/* A */
	return true;
}

bool cof_unwind_open(void)
{
	bool ok;

	pthread_mutex_lock(&us.lock);
	us.loading = true;
	ok = !us.lost && (atomic_load_explicit(&us.ready,
					       memory_order_relaxed) || load());
	us.loading = false;
	pthread_mutex_unlock(&us.lock);
	return ok;
}

/*
 * api/fork_hooks.c must not take this lock. load() waits for the loader's lock
 * while it holds this one, and the loader's lock may be held by a constructor
 * that forks.
 */
COF_FORK_CODE void cof_unwind_in_child(bool walked)
{
	if (us.loading || walked) {
		us.lost = true;
		atomic_store_explicit(&us.ready, false, memory_order_relaxed);
	}
	us.loading = false;
	pthread_mutex_init(&us.lock, NULL);
}

/* -- For hosts ------------------------------------------------------------- */

int cof_unwind_add(const void *start, const void *end, const void *eh_frame,
		   size_t bytes)
{
	if (!atomic_load_explicit(&us.ready, memory_order_relaxed))
		return -COF_E_STATE;
	return cof_regions_add(start, end, eh_frame, bytes);
}

void cof_unwind_remove(const void *start)
{
	cof_regions_remove(start);
}
