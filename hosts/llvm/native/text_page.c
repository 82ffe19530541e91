/*
 * text_page.c - see text_page.h
 */
#include "native/text_page.h"

#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "native/executable.h"
#include "support/xcalloc.h"

/* Two changes of one page at a time would lose one of them. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

/* [writing] Few programs write, and those at few places. */
static struct left {
	uintptr_t lo, hi;
} *left;
static size_t n_left;

/* [writing] Is all of it left to the program? */
static bool is_left(uintptr_t lo, uintptr_t hi)
{
	for (size_t i = 0; i < n_left; i++)
		if (lo >= left[i].lo && hi <= left[i].hi)
			return true;
	return false;
}

/* Constant but for `ours`, a byte for each page of the code: it is a copy of
 * libcof's. [writing] */
static struct {
	const struct cofl_executable *e;	/* NULL: there is none */
	uintptr_t      first;	/* page */
	size_t         n;	/* pages */
	unsigned char *ours;
} text;

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bool cofl_text_page_init(const struct cofl_executable *e)
{
	size_t page = page_bytes();

	text.first = e->text & -page;
	text.n = (e->text + e->n_text - text.first + page - 1) / page;
	text.ours = calloc(text.n, 1);
	if (text.ours == NULL)
		return false;
	text.e = e;
	return true;
}

/* NULL: it is no page of the executable's code. */
static unsigned char *ours(uintptr_t at)
{
	size_t i = (at - text.first) / page_bytes();

	return text.e != NULL && at >= text.first && i < text.n ?
	       &text.ours[i] : NULL;
}

/* What the kernel has mapped at `at`, *n bytes of it. NULL: nothing. */
static const char *in_file(uintptr_t at, size_t *n)
{
	const Elf64_Phdr *p = (const void *)getauxval(AT_PHDR);

	for (unsigned long i = 0; i < getauxval(AT_PHNUM); i++) {
		uintptr_t lo = text.e->bias + (p[i].p_vaddr & -page_bytes());
		size_t offset = p[i].p_offset & -page_bytes();

		if (p[i].p_type != PT_LOAD || !(p[i].p_flags & PF_X) ||
		    at < lo || at - lo >= p[i].p_memsz + page_bytes() ||
		    offset + (at - lo) >= text.e->n_bytes)
			continue;
		offset += at - lo;
		if (*n > text.e->n_bytes - offset)
			*n = text.e->n_bytes - offset;
		return text.e->bytes + offset;
	}
	return NULL;
}

/* [writing] Nobody else has changed this page. */
static bool is_as_linked(uintptr_t page)
{
	const unsigned char *is_ours = ours(page);
	size_t n = page_bytes();
	const char *file;

	if (is_ours == NULL || *is_ours)
		return true;
	file = in_file(page, &n);
	return file != NULL && memcmp((const void *)page, file, n) == 0;
}

bool cofl_text_page_is_as_linked(uintptr_t lo, uintptr_t hi)
{
	bool are = true;

	pthread_mutex_lock(&writing);
	for (uintptr_t p = lo & -page_bytes(); p < hi && are; p += page_bytes())
		are = is_as_linked(p);
	pthread_mutex_unlock(&writing);
	return are;
}

static bool replace(void *old, size_t page, size_t offset, const void *bytes,
		    size_t n)
{
	char *p = mmap(NULL, page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	memcpy(p, old, page);
	memcpy(p + offset, bytes, n);
	if (mprotect(p, page, PROT_READ | PROT_EXEC) != 0 ||
	    mremap(p, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, old) != old) {
		munmap(p, page);
		return false;
	}
	if (ours((uintptr_t)old) != NULL)
		*ours((uintptr_t)old) = true;
	return true;
}

static bool write_page(uintptr_t at, const void *bytes, size_t n, bool anyway)
{
	size_t page = page_bytes(), offset = at & (page - 1);
	bool done;

	pthread_mutex_lock(&writing);
	done = (anyway ||
		(!is_left(at, at + n) && is_as_linked(at - offset))) &&
	       replace((void *)(at - offset), page, offset, bytes, n);
	pthread_mutex_unlock(&writing);
	return done;
}

bool cofl_text_page_write(uintptr_t at, const void *bytes, size_t n)
{
	return write_page(at, bytes, n, false);
}

bool cofl_text_page_restore(uintptr_t at, const void *bytes, size_t n)
{
	return write_page(at, bytes, n, true);
}

bool cofl_text_page_leave(uintptr_t lo, uintptr_t hi)
{
	bool was_left;

	pthread_mutex_lock(&writing);
	was_left = is_left(lo, hi);
	if (!was_left) {
		left = cofl_xcalloc_grow(left, n_left, sizeof(*left));
		left[n_left++] = (struct left){ lo, hi };
	}
	pthread_mutex_unlock(&writing);
	return !was_left;
}

static void hold(void)
{
	pthread_mutex_lock(&writing);
}

static void release(void)
{
	pthread_mutex_unlock(&writing);
}

int cofl_text_page_fork_hooks(void)
{
	return pthread_atfork(hold, release, release);
}
