/*
 * code_pages.c - pages that can be mapped twice: a memfd, or shared memory
 *
 * The memfd is closed once it is mapped. The program could close a descriptor
 * that stayed open, and open another file under its number.
 *
 * A memfd is a file, so RLIMIT_FSIZE limits it, and the kernel sends SIGXFSZ
 * for a write past that limit. It needs a free descriptor, and a kernel that
 * has memfd_create(2) and allows it. Anonymous shared memory has none of these
 * limits; mremap(2) with an old size of 0 maps it a second time.
 */
#include "codemem/code_pages.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cof.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010u	/* Linux 6.3 */
#endif

int cof_code_pages_error(int err)
{
	if (err == ENOMEM || err == ENOSPC || err == EMFILE || err == ENFILE)
		return -COF_E_NOMEM;
	return -COF_E_PERM;
}

static bool file_may_have(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 && bytes <= limit.rlim_cur;
}

/* A descriptor; negative: there can be none. */
static int new_memfd(size_t bytes)
{
	int fd = memfd_create("cof-code", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)	/* a kernel before MFD_EXEC */
		fd = memfd_create("cof-code", MFD_CLOEXEC);
	if (fd < 0 || ftruncate(fd, (off_t)bytes) == 0)
		return fd;
	close(fd);
	return -1;
}

int cof_code_pages_new(struct cof_code_pages *pages, size_t bytes)
{
	void *map;

	*pages = COF_CODE_PAGES_NONE;
	pages->bytes = bytes;
	if (file_may_have(bytes))
		pages->fd = new_memfd(bytes);
	if (pages->fd >= 0)
		return 0;
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED)
		return cof_code_pages_error(errno);
	pages->map = map;
	return 0;
}

void cof_code_pages_free(struct cof_code_pages *pages)
{
	if (pages->fd >= 0)
		close(pages->fd);
	if (pages->map)
		munmap(pages->map, pages->bytes);
	*pages = COF_CODE_PAGES_NONE;
}

bool cof_code_pages_map(const struct cof_code_pages *pages, char *at, int prot)
{
	size_t bytes = pages->bytes;
	void *again;

	if (!pages->map)
		return mmap(at, bytes, prot, MAP_SHARED | MAP_FIXED, pages->fd,
			    0) != MAP_FAILED;
	/* Threads may run what is at `at`: it changes in one step. */
	again = mremap(pages->map, 0, bytes, MREMAP_MAYMOVE);
	if (again == MAP_FAILED)
		return false;
	if (mprotect(again, bytes, prot) == 0 &&
	    mremap(again, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) !=
	    MAP_FAILED)
		return true;
	munmap(again, bytes);
	return false;
}

int cof_code_pages_write(const struct cof_code_pages *pages,
			 const char *memory, size_t from, size_t to)
{
	if (pages->map) {
		memcpy(pages->map + from, memory + from, to - from);
		return 0;
	}
	while (from < to) {
		ssize_t n = pwrite(pages->fd, memory + from, to - from,
				   (off_t)from);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -COF_E_NOMEM;
		from += (size_t)n;
	}
	return 0;
}
