/*
 * bitcode_copy.c - see bitcode_copy.h
 */
#include "program/bitcode_copy.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cofl.h"
#include "support/record.h"

/*
 * The mapping of a file that was cut off faults behind its new end. The kernel
 * copies and says so; where a filter forbids that call, the fault is taken.
 */
static bool copy(void *to, const void *from, size_t n)
{
	struct iovec local = { to, n };
	struct iovec remote = { (void *)(uintptr_t)from, n };
	ssize_t got;

	while (local.iov_len > 0) {
		got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
		if (got < 0 && (errno == ENOSYS || errno == EPERM)) {
			memcpy(local.iov_base, remote.iov_base, local.iov_len);
			return true;
		}
		if (got <= 0)
			return false;
		local.iov_base = (char *)local.iov_base + got;
		local.iov_len -= (size_t)got;
		remote.iov_base = (char *)remote.iov_base + got;
		remote.iov_len -= (size_t)got;
	}
	return true;
}

/* Give back the pages of the file's mapping. They are read again if need be. */
static void drop_pages(const void *from, size_t n)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t first = ((uintptr_t)from + page - 1) / page * page;
	uintptr_t last = ((uintptr_t)from + n) / page * page;

	if (first < last)
		madvise((void *)first, last - first, MADV_DONTNEED);
}

bool cofl_bitcode_copy(struct cofl *host, char *why, size_t why_bytes)
{
	size_t n = host->n_bytes;
	void *to;

	if (host->bytes_are_copied)
		return true;
	to = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		  -1, 0);
	if (to == MAP_FAILED) {
		snprintf(why, why_bytes, "no memory for its bitcode");
		return false;
	}
	if (!copy(to, host->bytes, n)) {
		snprintf(why, why_bytes, "its file was cut off");
	} else if (cofl_record_check(to, n, host->hash, why, why_bytes)) {
		mprotect(to, n, PROT_READ);
		drop_pages(host->bytes, n);
		host->bytes = to;
		host->bytes_are_copied = true;
		return true;
	}
	munmap(to, n);
	return false;
}
