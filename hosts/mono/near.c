/*
 * near.c - the code of versions lies near what it calls
 *
 * A version is a dynamic method, so that Mono gives its memory back. The code of
 * those has its memory from the allocator they come with, wherever the kernel has
 * room, all other code in the lowest 2 GiB. So a version would call each of its
 * callees across more than 4 GiB, which some processors do badly (docs/mono.md).
 *
 * Process-wide: Mono's mappings, none of libcof's or of a library's. An address that
 * is asked for stays what it is, and where the lowest 2 GiB are full, it is as before.
 *
 * Thread: any.
 */
#include <stddef.h>
#include <sys/mman.h>
#include <sys/types.h>

void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	if (at == NULL && (prot & PROT_EXEC) && (flags & MAP_ANONYMOUS)) {
		void *p = __real_mmap(NULL, n, prot, flags | MAP_32BIT, fd, offset);

		if (p != MAP_FAILED)
			return p;
	}
	return __real_mmap(at, n, prot, flags, fd, offset);
}
