/*
 * memory_lock.c - the stand-in for mlockall(2): what is used is locked, and no
 * reserved addresses
 *
 * libcof and its host reserve gigabytes of addresses without memory. The kernel
 * would give memory to all of them, or refuse because of RLIMIT_MEMLOCK. So
 * mapping by mapping is locked:
 *
 *	mapping				locked
 *	reserved without memory		its pages that are in memory
 *	LLVM's and libcof's code	the same
 *	any other			all of it; under a limit, its pages that
 *					are in memory
 *
 * Under a limit, libraries are locked as far as it lasts. MCL_FUTURE locks each
 * later page when it is first touched. If libcof takes no part, the call is the
 * kernel's.
 *
 * Mappings are read from /proc/self/smaps (proc_pid_smaps(5)): a line with
 * addresses, rights and file, lines of sizes, and a line VmFlags, in which "nr"
 * is MAP_NORESERVE. The text's room is a mapping: the program may have a
 * malloc() of its own, and natively the call needs no stack.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/units.h"
#include "preload/native.h"
#include "preload/rtld_next.h"
#include "process/capabilities.h"

#define TEXT_BYTES 8192u	/* many lines of smaps */

struct mapping {
	uintptr_t lo, hi;
	bool      is_known;	/* the fields are of a mapping */
	bool      has_rights;
	bool      in_part;	/* only what is in memory, */
	bool      if_possible;	/* and no error if that fails */
};

/* Lock [lo, hi). Pages that cannot be touched, as those after a file's end, are
 * no error: mlockall(2) does not report them either. */
static int lock(uintptr_t lo, uintptr_t hi, int flags)
{
	if (mlock2((void *)lo, hi - lo, MLOCK_ONFAULT) != 0)
		return -1;
	if (!(flags & MCL_ONFAULT))
		mlock((void *)lo, hi - lo);
	return 0;
}

/* Lock each run of pages that are in memory. */
static int lock_present(uintptr_t lo, uintptr_t hi, int flags)
{
	unsigned char present[1024];

	while (lo < hi) {
		size_t n = (hi - lo) / COF_PAGE_BYTES, from = 0;

		if (n > sizeof(present))
			n = sizeof(present);
		if (mincore((void *)lo, n * COF_PAGE_BYTES, present) != 0)
			return 0;	/* it is gone */
		for (size_t i = 0; i <= n; i++) {
			if (i < n && (present[i] & 1))
				continue;
			if (from < i && lock(lo + from * COF_PAGE_BYTES,
					     lo + i * COF_PAGE_BYTES,
					     flags) != 0)
				return -1;
			from = i + 1;
		}
		lo += n * COF_PAGE_BYTES;
	}
	return 0;
}

/* Does RLIMIT_MEMLOCK hold for this process? */
static bool is_limited(void)
{
	struct rlimit most;

	return !capabilities_has(CAP_IPC_LOCK) &&
	       getrlimit(RLIMIT_MEMLOCK, &most) == 0 &&
	       most.rlim_cur != RLIM_INFINITY;
}

static int lock_mapping(const struct mapping *m, int flags, bool if_possible)
{
	if (!m->is_known || !m->has_rights || m->if_possible != if_possible)
		return 0;
	if (!m->in_part && !is_limited())
		return lock(m->lo, m->hi, flags);
	return lock_present(m->lo, m->hi, flags) != 0 && !if_possible ? -1 : 0;
}

/* Of a file that natively would not be in the process, or not as a whole. */
static bool is_of_library(const char *line)
{
	return strstr(line, ".so") != NULL;
}

/* A line of the file. Locks the mapping whose lines end with it. */
static int take_line(struct mapping *m, const char *line, int flags,
		     bool if_possible)
{
	unsigned long lo, hi;
	char rights[5];

	if (sscanf(line, "%lx-%lx %4s", &lo, &hi, rights) == 3) {
		*m = (struct mapping){
			.lo = lo, .hi = hi, .is_known = true,
			.has_rights = rights[0] != '-' || rights[1] != '-',
			.in_part = strstr(line, "/libLLVM") != NULL ||
				   strstr(line, "/libcof-") != NULL ||
				   strstr(line, "/memfd:cof-") != NULL,
			.if_possible = is_of_library(line),
		};
		return 0;
	}
	if (strncmp(line, "VmFlags:", 8) != 0)
		return 0;
	m->in_part |= strstr(line, " nr") != NULL;
	return lock_mapping(m, flags, if_possible);
}

/* One kind of mappings, by the lines of `fd`; text[] has TEXT_BYTES. */
static int lock_listed(int fd, char *text, int flags, bool if_possible)
{
	struct mapping m = { .is_known = false };
	char *line, *end;
	size_t kept = 0;
	ssize_t n;
	int err = 0;

	while (err == 0 &&
	       (n = read(fd, text + kept, TEXT_BYTES - kept)) > 0) {
		kept += (size_t)n;
		for (line = text; err == 0 &&
		     (end = memchr(line, '\n', kept)) != NULL; line = end + 1) {
			*end = '\0';
			err = take_line(&m, line, flags, if_possible);
			kept -= (size_t)(end + 1 - line);
		}
		if (kept == TEXT_BYTES)
			kept = 0;	/* no such line is of interest */
		memmove(text, line, kept);
	}
	return err;
}

static int lock_current(int flags, bool if_possible)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC), err = -1, why;
	char *text = mmap(NULL, TEXT_BYTES, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd >= 0 && text != MAP_FAILED)
		err = lock_listed(fd, text, flags, if_possible);
	why = errno;
	if (text != MAP_FAILED)
		munmap(text, TEXT_BYTES);
	if (fd >= 0)
		close(fd);
	errno = why;
	return err;
}

/* What natively would not be there comes last. */
static int lock_now(int flags)
{
	if (native_events() == NULL)
		return rtld_next.mlockall(flags & ~MCL_FUTURE);
	return lock_current(flags, false) == 0 ? lock_current(flags, true) : -1;
}

STAND_IN
int mlockall(int flags)
{
	if ((native_is_decided() && native_events() == NULL) ||
	    (flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) != 0 ||
	    (flags & (MCL_CURRENT | MCL_FUTURE)) == 0)
		return rtld_next.mlockall(flags);	/* or it says why not */
	if ((flags & MCL_CURRENT) && lock_now(flags) != 0)
		return -1;
	return flags & MCL_FUTURE ?
	       rtld_next.mlockall(MCL_FUTURE | MCL_ONFAULT) : 0;
}
