/*
 * text_page.c - see text_page.h
 */
#include "native/text_page.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static bool replace(void *old, size_t page, size_t offset, const void *bytes,
		    size_t n)
{
	char *p = mmap(NULL, page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return false;
	memcpy(p, old, page);
	memcpy(p + offset, bytes, n);
	if (mprotect(p, page, PROT_READ | PROT_EXEC) == 0 &&
	    mremap(p, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, old) == old)
		return true;
	munmap(p, page);
	return false;
}

static bool write_page(uintptr_t at, const void *bytes, size_t n, bool anyway)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), offset = at & (page - 1);
	bool done;

	pthread_mutex_lock(&writing);
	done = (anyway || !is_left(at, at + n)) &&
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
