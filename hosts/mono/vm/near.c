/*
 * near.c - keep the code of versions near the code it calls
 *
 * A version is a dynamic method, so that Mono can free its memory. Mono
 * allocates code of dynamic methods wherever the kernel has room, and all other
 * code in the lowest 2 GiB. So a version would call its callees across more
 * than 4 GiB, which some processors do badly (docs/mono.md).
 *
 * So this mmap() maps executable memory in the lowest 2 GiB. If the caller asks
 * for an address, or the lowest 2 GiB are full, the mapping is as without it.
 *
 * Process-wide: it stands in for mmap() in Mono's code only, not in libcof's or
 * in a library's. Thread: any.
 */
#include <stddef.h>
#include <sys/mman.h>

void *__real_mmap(void *at, size_t n, int prot, int flags, int fd,
		  off_t offset);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd,
		  off_t offset);

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd,
		  off_t offset)
{
	if (at == NULL && (prot & PROT_EXEC) && (flags & MAP_ANONYMOUS)) {
		void *p = __real_mmap(NULL, n, prot, flags | MAP_32BIT, fd,
				      offset);

		if (p != MAP_FAILED)
			return p;
	}
	return __real_mmap(at, n, prot, flags, fd, offset);
}
