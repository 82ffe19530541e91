/*
 * jitinfo.c - a radix tree over page numbers; see jitinfo.h
 *
 *	address   | 12 bits | 12 bits | 12 bits | 12 bits in the page |
 *	               |         |         |
 *	             index -> branch -> leaf -> word (jitpage.h) -> version
 *
 * Three loads lead to the page's word, however many versions there are. Tables
 * stay until the index is freed: 32 KiB for each 16 MiB of addresses that ever
 * had code.
 *
 * Orderings, by letter:
 *
 *	add, remove (code lock)              find
 *	fill in table, node, version
 *	store-release table or word  (A)     load-acquire table, word  (B)
 *	push the node that was there (E)     in a read section         (D)
 *
 *	collect (P/O)
 *	take all nodes               (F)
 *	grace period                 (C)
 *	free them
 *
 * A pairs with B: a thread that sees a pointer sees what it points to. E, a
 * release, pairs with F, an acquire: the thread that takes a node comes after
 * the store that took it out of the tree, and after its last writer. C pairs
 * with D, in liburcu: a node is freed only after every section that may have
 * seen it.
 *
 * The index uses liburcu's "bulletproof" flavour, because find() also runs in
 * threads of the program. That flavour needs no registration, which a program
 * with a liburcu of its own may have done already. Of all flavours, only it can
 * go on after a fork without exec (<urcu/urcu-bp.h>).
 *
 * The whole process has one such flavour. The program may use it too, and a
 * thread in a read section of the program's may come to add(), by a first call.
 * So nothing that such a thread does, and no lock that it takes, may depend on
 * a grace period. Only P/O waits for one, and only for a batch of nodes.
 */
#include "code/jitinfo.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <urcu/urcu-bp.h>

#include "base/fork_code.h"
#include "base/tsan.h"
#include "code/jitpage.h"
#include "code/version.h"
#include "cof.h"
#include "memory/mem.h"

#define FAN_LG 12
#define FAN    ((size_t)1 << FAN_LG)
#define LIMIT  ((uintptr_t)1 << (COF_JITPAGE_LG + 3 * FAN_LG))	/* 48 bits */
#define REGISTRY_BYTES ((size_t)1 << 20)	/* it takes some KB */
#define BATCH  256u		/* nodes that are worth a grace period */

struct leaf {
	_Atomic uintptr_t page[FAN];
};

struct branch {
	_Atomic(struct leaf *) leaf[FAN];
};

struct cof_jitinfo {
	_Atomic(struct branch *) branch[FAN];

	/* Nodes taken out of the tree and not yet freed, and their number. */
	_Atomic(struct cof_jitpage_node *) old;
	_Atomic uint32_t n_old;
};

static uintptr_t page_base(uintptr_t address)
{
	return address & ~(COF_JITPAGE - 1);
}

/* -- Reading --------------------------------------------------------------- */

/* The word of an address's page. NULL: there never was code near it. */
static _Atomic uintptr_t *page_at(const struct cof_jitinfo *index,
				  uintptr_t address)
{
	uintptr_t number = address >> COF_JITPAGE_LG;
	struct branch *branch;
	struct leaf *leaf;

	if (address >= LIMIT)
		return NULL;
	branch = atomic_load_explicit(&index->branch[number >> 2 * FAN_LG],
				      memory_order_acquire);	/* B */
	if (!branch)
		return NULL;
	leaf = atomic_load_explicit(&branch->leaf[number >> FAN_LG & (FAN - 1)],
				    memory_order_acquire);	/* B */
	return leaf ? &leaf->page[number & (FAN - 1)] : NULL;
}

struct cof_version *cof_jitinfo_find(const struct cof_jitinfo *index,
				     uintptr_t address)
{
	struct cof_version *v = NULL;
	_Atomic uintptr_t *page;

	urcu_bp_read_lock();		/* D */
	page = page_at(index, address);
	if (page)
		v = cof_jitpage_find(
			atomic_load_explicit(page, memory_order_acquire),
			address);	/* B */
	cof_tsan_release(index);
	urcu_bp_read_unlock();
	return v;
}

void cof_jitinfo_reader_enter(void)
{
	urcu_bp_register_thread();	/* so that find() need not */
}

void cof_jitinfo_reader_quiet(void)
{
	atomic_thread_fence(memory_order_seq_cst);	/* instance.h: B */
}

/* find() has its own read section, and liburcu handles threads that end. */
void cof_jitinfo_reader_leave(void)
{
}

/* -- Writing: under the code lock ------------------------------------------ */

/* One thread pushes at a time, and the taker takes all: no head comes back. */
static void retire(struct cof_jitinfo *index, struct cof_jitpage_node *node)
{
	struct cof_jitpage_node **next = cof_jitpage_next(node);

	atomic_fetch_add_explicit(&index->n_old, 1, memory_order_relaxed);
	*next = atomic_load_explicit(&index->old, memory_order_relaxed);
	while (!atomic_compare_exchange_weak_explicit(&index->old, next, node,
						      memory_order_release,
						      memory_order_relaxed))
		;	/* E */
}

static uintptr_t page_read(const struct cof_jitinfo *index, uintptr_t address)
{
	return atomic_load_explicit(page_at(index, address),
				    memory_order_relaxed);
}

static void page_write(struct cof_jitinfo *index, uintptr_t address,
		       uintptr_t to)
{
	_Atomic uintptr_t *page = page_at(index, address);
	struct cof_jitpage_node *node =
		cof_jitpage_node(atomic_load_explicit(page,
						      memory_order_relaxed));

	atomic_store_explicit(page, to, memory_order_release);	/* A */
	if (node)
		retire(index, node);
}

/* Make the tables that lead to a page. */
static bool tables_make(struct cof_jitinfo *index, uintptr_t address)
{
	uintptr_t number = address >> COF_JITPAGE_LG;
	_Atomic(struct branch *) *b = &index->branch[number >> 2 * FAN_LG];
	struct branch *branch = atomic_load_explicit(b, memory_order_relaxed);
	_Atomic(struct leaf *) *l;
	struct leaf *leaf;

	if (!branch) {
		branch = cof_mem_alloc(sizeof(*branch));
		if (!branch)
			return false;
		atomic_store_explicit(b, branch, memory_order_release);	/* A */
	}
	l = &branch->leaf[number >> FAN_LG & (FAN - 1)];
	if (!atomic_load_explicit(l, memory_order_relaxed)) {
		leaf = cof_mem_alloc(sizeof(*leaf));
		if (!leaf)
			return false;
		atomic_store_explicit(l, leaf, memory_order_release);	/* A */
	}
	return true;
}

int cof_jitinfo_add(struct cof_jitinfo *index, struct cof_version *version)
{
	uintptr_t first = page_base(version->code.start), last, at;
	uintptr_t to_first, to_last = 0;

	if (version->code.start >= version->code.end ||
	    version->code.end > LIMIT)
		return -COF_E_INVAL;
	last = page_base(version->code.end - 1);

	for (at = first; at <= last; at += COF_JITPAGE) {
		if (!tables_make(index, at))
			return -COF_E_NOMEM;
		if (cof_jitpage_overlaps(page_read(index, at), version))
			return -COF_E_INVAL;
	}

	/* Pages between hold no other version: only these two may need
	 * nodes. */
	to_first = cof_jitpage_with(page_read(index, first), first, version);
	if (to_first && last != first)
		to_last = cof_jitpage_with(page_read(index, last), last,
					   version);
	if (!to_first || (last != first && !to_last)) {
		cof_mem_free(cof_jitpage_node(to_first));
		return -COF_E_NOMEM;
	}

	for (at = first + COF_JITPAGE; at < last; at += COF_JITPAGE)
		page_write(index, at, cof_jitpage_with(0, at, version));
	page_write(index, first, to_first);
	if (last != first)
		page_write(index, last, to_last);
	return 0;
}

void cof_jitinfo_remove(struct cof_jitinfo *index, struct cof_version *version)
{
	uintptr_t last = page_base(version->code.end - 1), at;

	for (at = page_base(version->code.start); at <= last; at += COF_JITPAGE)
		if (cof_jitpage_remove(page_read(index, at), version))
			page_write(index, at, 0);
}

/* -- Collecting: P/O, under no lock ---------------------------------------- */

bool cof_jitinfo_is_full(const struct cof_jitinfo *index)
{
	return atomic_load_explicit(&((struct cof_jitinfo *)index)->n_old,
				    memory_order_relaxed) >= BATCH;
}

static struct cof_jitpage_node *take_old(struct cof_jitinfo *index)
{
	return atomic_exchange_explicit(&index->old, NULL,
					memory_order_acquire);	/* F */
}

static uint32_t free_list(struct cof_jitpage_node *node)
{
	struct cof_jitpage_node *next;
	uint32_t n = 0;

	for (; node; node = next, n++) {
		next = *cof_jitpage_next(node);
		cof_mem_free(node);
	}
	return n;
}

void cof_jitinfo_collect(struct cof_jitinfo *index)
{
	struct cof_jitpage_node *old = take_old(index);

	if (!old)
		return;
	urcu_bp_synchronize_rcu();	/* C */
	cof_tsan_acquire(index);
	atomic_fetch_sub_explicit(&index->n_old, free_list(old),
				  memory_order_relaxed);
}

/* -- Life ------------------------------------------------------------------ */

/* Does liburcu get the memory to register a thread? Else it would abort. */
static bool can_register(void)
{
	void *p = mmap(NULL, REGISTRY_BYTES, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return p != MAP_FAILED && munmap(p, REGISTRY_BYTES) == 0;
}

struct cof_jitinfo *cof_jitinfo_new(void)
{
	/* This thread will look up the last samples, when there may be no
	 * memory to register it. */
	if (!can_register())
		return NULL;
	urcu_bp_register_thread();
	return cof_mem_alloc(sizeof(struct cof_jitinfo));
}

static void leaf_free(struct leaf *leaf)
{
	for (size_t i = 0; i < FAN; i++)
		cof_mem_free(cof_jitpage_node(
			atomic_load_explicit(&leaf->page[i],
					     memory_order_relaxed)));
	cof_mem_free(leaf);
}

static void branch_free(struct branch *branch)
{
	for (size_t i = 0; i < FAN; i++) {
		struct leaf *leaf = atomic_load_explicit(&branch->leaf[i],
							 memory_order_relaxed);

		if (leaf)
			leaf_free(leaf);
	}
	cof_mem_free(branch);
}

void cof_jitinfo_free(struct cof_jitinfo *index)
{
	if (!index)
		return;
	free_list(take_old(index));	/* no thread reads any more */
	for (size_t i = 0; i < FAN; i++) {
		struct branch *branch =
			atomic_load_explicit(&index->branch[i],
					     memory_order_relaxed);

		if (branch)
			branch_free(branch);
	}
	cof_mem_free(index);
}

/* -- Fork ------------------------------------------------------------------ */

void cof_jitinfo_fork_prepare(void)
{
	urcu_bp_before_fork();
}

void cof_jitinfo_fork_parent(void)
{
	urcu_bp_after_fork_parent();
}

COF_FORK_CODE void cof_jitinfo_fork_child(void)
{
	/*
	 * The linker binds an address at the start, but a call when it is first
	 * made. That would be in each child, and cost a dozen faults there.
	 */
	static void (*const volatile after)(void) = urcu_bp_after_fork_child;

	after();
}
