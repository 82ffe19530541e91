/*
 * text_page.c - see text_page.h
 */
#include "native/text_page.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Two changes of one page at a time would lose one of them. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

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

bool cofl_text_page_write(uintptr_t at, const void *bytes, size_t n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), offset = at & (page - 1);
	bool done;

	pthread_mutex_lock(&writing);
	done = replace((void *)(at - offset), page, offset, bytes, n);
	pthread_mutex_unlock(&writing);
	return done;
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
