/*
 * linker_malloc.c - see linker_malloc.h
 *
 * glibc's dynamic linker keeps pointers to the program's calloc(), free(),
 * malloc() and realloc() in the data that it protects after relocation
 * (PT_GNU_RELRO). They have no exported names. They are found by their values,
 * each of which must be there exactly once.
 *
 * A block has its class in front of it. Free blocks of a class are in a list.
 * A thread that is not inside libcof may be interrupted by a fork's handlers,
 * so it takes no lock: it puts what it frees on a list of its own kind, `late`,
 * which the next thread inside empties.
 */
#include "own_threads/linker_malloc.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "base/align.h"
#include "base/rawcall.h"
#include "base/units.h"

#define RANGE_BYTES ((size_t)64 << 20)	/* of addresses */
#define LEFT_BYTES  ((size_t)1 << 20)	/* beyond those in use, at the end */
#define CLASSES     26u			/* of 2^(i + 5) bytes with the head */

_Thread_local int linker_malloc_depth;

struct block {
	size_t        class;
	struct block *next;	/* while it is free; else the block's bytes */
};

#define HEAD_BYTES 16u

static char        *range;
static _Atomic size_t range_bytes;	/* written under lock */
static size_t       used;	/* [lock] */
static struct block *free_of[CLASSES];	/* [lock] */
static atomic_int   lock;
static struct block *_Atomic late;

/* The program's. */
static struct {
	void *(*calloc)(size_t n, size_t bytes);
	void  (*free)(void *p);
	void *(*malloc)(size_t bytes);
	void *(*realloc)(void *p, size_t bytes);
	size_t (*usable_size)(void *p);
} programs;

/* -- Blocks ---------------------------------------------------------------- */

static void take_lock(void)
{
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire) != 0)
		cof_raw(SYS_sched_yield, 0, 0, 0, 0);
}

static void release_lock(void)
{
	atomic_store_explicit(&lock, 0, memory_order_release);
}

static bool is_ours(const void *p)
{
	return range != NULL && (const char *)p >= range &&
	       (const char *)p < range + range_bytes;
}

static struct block *block_of(void *p)
{
	return (struct block *)(void *)((char *)p - HEAD_BYTES);
}

static size_t bytes_of(const struct block *b)
{
	return ((size_t)32 << b->class) - HEAD_BYTES;
}

/* [lock] */
static void put_back(struct block *b)
{
	b->next = free_of[b->class];
	free_of[b->class] = b;
}

/* [lock] */
static void put_late_back(void)
{
	struct block *b = atomic_exchange_explicit(&late, NULL,
						   memory_order_acquire);

	while (b != NULL) {
		struct block *next = b->next;

		put_back(b);
		b = next;
	}
}

/* [lock] NULL: the range is used up. */
static struct block *take(size_t class)
{
	size_t bytes = (size_t)32 << class;
	struct block *b = free_of[class];

	if (b != NULL) {
		free_of[class] = b->next;
		return b;
	}
	if (range_bytes - used < bytes)
		return NULL;
	b = (struct block *)(void *)(range + used);
	used += bytes;
	b->class = class;
	return b;
}

static void *allocate(size_t bytes)
{
	struct block *b = NULL;
	size_t class = 0;

	while (class < CLASSES && ((size_t)32 << class) - HEAD_BYTES < bytes)
		class++;
	if (class == CLASSES)
		return NULL;
	take_lock();
	put_late_back();
	b = take(class);
	release_lock();
	return b != NULL ? (char *)b + HEAD_BYTES : NULL;
}

static void give_back(struct block *b)
{
	struct block *first;

	if (linker_malloc_depth > 0) {
		take_lock();
		put_back(b);
		release_lock();
		return;
	}
	first = atomic_load(&late);
	do
		b->next = first;
	while (!atomic_compare_exchange_weak_explicit(
			&late, &first, b, memory_order_release,
			memory_order_relaxed));
}

void linker_malloc_shrink(void)
{
	size_t left, former;

	take_lock();
	former = range_bytes;
	left = cof_align_up(used + LEFT_BYTES, COF_PAGE_BYTES);
	if (left < former)
		range_bytes = left;
	release_lock();
	if (left < former)
		munmap(range + left, former - left);
}

/* Whoever held the lock lost no more than its block: each step of take() and
 * put_back() leaves the lists whole. */
void linker_malloc_forked(void)
{
	release_lock();
}

/* -- In place of the program's --------------------------------------------- */

static void *linker_malloc(size_t bytes)
{
	return linker_malloc_depth > 0 ? allocate(bytes) :
				       programs.malloc(bytes);
}

static void *linker_calloc(size_t n, size_t bytes)
{
	void *p;
	size_t all;

	if (linker_malloc_depth == 0)
		return programs.calloc(n, bytes);
	if (__builtin_mul_overflow(n, bytes, &all))
		return NULL;
	p = allocate(all);
	return p != NULL ? memset(p, 0, all) : NULL;
}

static void linker_free(void *p)
{
	if (is_ours(p))
		give_back(block_of(p));
	else if (linker_malloc_depth == 0)
		programs.free(p);
	/* Else it stays: the program's free() may not be called here. What the
	 * program allocated and libcof frees is a list that grew. */
}

static void *linker_realloc(void *old, size_t bytes)
{
	size_t had;
	void *p;

	if (!is_ours(old) && linker_malloc_depth == 0)
		return programs.realloc(old, bytes);
	if (old == NULL)
		return linker_malloc(bytes);
	had = is_ours(old) ? bytes_of(block_of(old)) :
			     programs.usable_size(old);
	p = linker_malloc(bytes);
	if (p == NULL)
		return NULL;
	memcpy(p, old, had < bytes ? had : bytes);
	linker_free(old);
	return p;
}

/* -- Finding the pointers -------------------------------------------------- */

static const struct {
	const char *name;
	void      **programs;	/* where the program's is kept */
	void       *ours;
} functions[] = {
#define FUNCTION(name) \
	{ #name, (void **)&programs.name, (void *)linker_##name }
	FUNCTION(calloc), FUNCTION(free), FUNCTION(malloc), FUNCTION(realloc),
#undef FUNCTION
};

#define FUNCTIONS (sizeof(functions) / sizeof(*functions))

struct words {
	void **from, **to;
};

/* What the dynamic linker protects. */
static struct words protected_words(void)
{
	uintptr_t base = getauxval(AT_BASE);
	const ElfW(Ehdr) *head = (const void *)base;
	const ElfW(Phdr) *p;
	struct words none = { NULL, NULL };

	if (base == 0)
		return none;
	p = (const void *)(base + head->e_phoff);
	for (unsigned i = 0; i < head->e_phnum; i++)
		if (p[i].p_type == PT_GNU_RELRO)
			return (struct words){
				(void **)(base + p[i].p_vaddr),
				(void **)(base + p[i].p_vaddr + p[i].p_memsz),
			};
	return none;
}

/* NULL: it is not there exactly once. */
static void **find(struct words in, const void *value)
{
	void **found = NULL;

	for (void **at = in.from; at < in.to; at++) {
		if (*at != value)
			continue;
		if (found != NULL)
			return NULL;
		found = at;
	}
	return found;
}

static bool find_all(struct words in, void **at[FUNCTIONS])
{
	for (size_t i = 0; i < FUNCTIONS; i++) {
		*functions[i].programs = dlsym(RTLD_DEFAULT, functions[i].name);
		at[i] = find(in, *functions[i].programs);
		if (at[i] == NULL)
			return false;
	}
	*(void **)&programs.usable_size =
		dlsym(RTLD_DEFAULT, "malloc_usable_size");
	return programs.usable_size != NULL;
}

static bool protect(struct words words, int rights)
{
	uintptr_t page = 4096, from = (uintptr_t)words.from & ~(page - 1);
	uintptr_t to = (uintptr_t)words.to & ~(page - 1);

	return cof_raw(SYS_mprotect, (long)from, (long)(to - from), rights,
		       0) == 0;
}

static bool fail(char *why, size_t why_bytes, const char *reason)
{
	snprintf(why, why_bytes, "%s", reason);
	return false;
}

bool linker_malloc_begin(char *why, size_t why_bytes)
{
	struct words words = protected_words();
	void **at[FUNCTIONS];
	void *p;

	if (range != NULL)
		return true;
	if (!find_all(words, at))
		return fail(why, why_bytes,
			    "the dynamic linker allocates in an unknown way");
	p = mmap(NULL, RANGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		 MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return fail(why, why_bytes, "no memory");
	range_bytes = RANGE_BYTES;
	range = p;
	if (!protect(words, PROT_READ | PROT_WRITE))
		return fail(why, why_bytes, "the dynamic linker's data cannot "
			    "be changed");
	for (size_t i = 0; i < FUNCTIONS; i++)
		__atomic_store_n(at[i], functions[i].ours, __ATOMIC_RELEASE);
	protect(words, PROT_READ);
	return true;
}
