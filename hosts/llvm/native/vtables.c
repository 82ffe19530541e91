/*
 * vtables.c - see vtables.h
 *
 * Ordering: the store into a slot is a release (A). Its partner (B) is in the
 * program: the load of the slot, and the call through it, which depends on the
 * load.
 */
#include "native/vtables.h"

#include <elf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native/executable.h"
#include "support/xcalloc.h"

typedef _Atomic uintptr_t word;

/* Constant but for `left`: [writing]. */
static struct {
	struct vtable {
		word  *slot;
		size_t n;
	}        *all;
	size_t    n;
	uintptr_t lo, hi;	/* of all of them, whole pages */
	bool      left;		/* to the program */
} vtables;

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static uintptr_t page_bytes(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE);
}

/* -- Which there are ------------------------------------------------------- */

static const char *name_of(const struct cofl_executable *e, uint32_t i)
{
	return e->names + e->entry[i].name;
}

/* The first entry from n_functions on whose name is not before `prefix`. */
static uint32_t find(const struct cofl_executable *e, const char *prefix)
{
	uint32_t low = e->head->n_functions, high = e->head->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (strcmp(name_of(e, middle), prefix) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add(const struct cofl_executable *e, uint32_t i)
{
	uintptr_t at = cofl_executable_address(e, i);
	uintptr_t end = at + e->entry[i].bytes;

	if (e->entry[i].flags & COFL_ADDRESS_LIBRARY || end == at ||
	    at % sizeof(word) != 0)
		return;
	vtables.all[vtables.n++] = (struct vtable){
		(word *)at, (end - at) / sizeof(word) };
	if (vtables.lo == 0 || at < vtables.lo)
		vtables.lo = at & -page_bytes();
	if (end > vtables.hi)
		vtables.hi = (end + page_bytes() - 1) & -page_bytes();
}

/* Of classes, and of bases that are under construction (Itanium C++ ABI,
 * 5.1.4.1). */
static const char *const prefix[] = { "_ZTC", "_ZTV" };
#define PREFIXES (sizeof(prefix) / sizeof(*prefix))

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

void cofl_vtables_init(const struct cofl_executable *e)
{
	uint32_t n = 0;

	for (size_t k = 0; k < PREFIXES; k++)
		for (uint32_t i = find(e, prefix[k]);
		     i < e->head->n && begins(name_of(e, i), prefix[k]); i++)
			n++;
	vtables.all = cofl_xcalloc(n + 1, sizeof(*vtables.all));
	for (size_t k = 0; k < PREFIXES; k++)
		for (uint32_t i = find(e, prefix[k]);
		     i < e->head->n && begins(name_of(e, i), prefix[k]); i++)
			add(e, i);
}

/* -- Rights ---------------------------------------------------------------- */

/* Where the program's segments are, relative to their addresses in the file. */
static uintptr_t base_of(const Elf64_Phdr *p, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		if (p[i].p_type == PT_PHDR)
			return (uintptr_t)p - p[i].p_vaddr;
	return 0;
}

/* Is the page writable now? What the dynamic linker made read-only is not. */
static bool is_writable(uintptr_t page)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);
	unsigned long n = getauxval(AT_PHNUM);
	uintptr_t base = base_of(p, n);
	bool is = false;

	for (unsigned long i = 0; i < n; i++) {
		uintptr_t lo = base + p[i].p_vaddr, hi = lo + p[i].p_memsz;

		if (p[i].p_type == PT_LOAD && p[i].p_flags & PF_W)
			is |= page + page_bytes() > lo && page < hi;
		if (p[i].p_type == PT_GNU_RELRO &&
		    page >= (lo & -page_bytes()) && page + page_bytes() <= hi)
			return false;
	}
	return is;
}

/* [writing] False: it cannot be changed. */
static bool store(word *slot, uintptr_t to)
{
	uintptr_t page = (uintptr_t)slot & -page_bytes();
	bool writable = is_writable(page);

	if (!writable && mprotect((void *)page, page_bytes(),
				  PROT_READ | PROT_WRITE) != 0)
		return false;
	atomic_store_explicit(slot, to, memory_order_release);	/* A */
	if (!writable)
		mprotect((void *)page, page_bytes(), PROT_READ);
	return true;
}

/* -- Changes --------------------------------------------------------------- */

bool cofl_vtables_lead(uintptr_t from, uintptr_t to)
{
	bool any = false;

	pthread_mutex_lock(&writing);
	for (size_t i = 0; i < vtables.n && !vtables.left; i++)
		for (size_t k = 0; k < vtables.all[i].n; k++) {
			word *slot = &vtables.all[i].slot[k];

			if (atomic_load_explicit(slot, memory_order_relaxed) ==
			    from)
				any |= store(slot, to);
		}
	pthread_mutex_unlock(&writing);
	return any;
}

void cofl_vtables_leave(uintptr_t lo, uintptr_t hi)
{
	pthread_mutex_lock(&writing);
	vtables.left |= lo < vtables.hi && hi > vtables.lo;
	pthread_mutex_unlock(&writing);
}

static void hold(void)
{
	pthread_mutex_lock(&writing);
}

static void release(void)
{
	pthread_mutex_unlock(&writing);
}

int cofl_vtables_fork_hooks(void)
{
	return pthread_atfork(hold, release, release);
}
