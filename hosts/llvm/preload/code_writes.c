/*
 * code_writes.c - a program that writes to its functions, or to its constants
 *
 * Hooking libraries make the page of a function writable and put a jump there;
 * others move their code to large pages. The stand-ins tell libcof before the
 * kernel does it, so that these functions are left alone. What comes before
 * libcof's side is opened is kept. So are writes to constants, of which libcof
 * changes some itself (native/vtables.h). A program that makes the call by an
 * instruction of its own is not seen, nor are other ways (/proc/self/mem).
 */
#include "preload/code_writes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/rawcall.h"
#include "preload/native.h"
#include "preload/program_text.h"
#include "preload/rtld_next.h"

#define PAGE_LEAST 4096		/* the kernel's error numbers are less */

/* One range, which grows: few programs write, and those mostly at one place. */
struct range {
	_Atomic uintptr_t from, to;
};

static struct range code = { .from = UINTPTR_MAX };
static struct range constants = { .from = UINTPTR_MAX };

static void grow(struct range *r, uintptr_t lo, uintptr_t hi)
{
	if (lo < atomic_load(&r->from))
		atomic_store(&r->from, lo);
	if (hi > atomic_load(&r->to))
		atomic_store(&r->to, hi);
}

static void tell_code(uintptr_t lo, uintptr_t hi)
{
	const struct cofl_events *events = native_events();

	if (events != NULL && events->code_writes != NULL)
		events->code_writes((const void *)lo, hi - lo);
}

static void tell_constants(uintptr_t lo, uintptr_t hi)
{
	const struct cofl_events *events = native_events();

	if (events != NULL && events->constant_writes != NULL)
		events->constant_writes((const void *)lo, hi - lo);
}

static void note(const void *at, size_t bytes)
{
	uintptr_t lo = (uintptr_t)at, hi = lo + bytes;
	int error = errno;

	if (hi < lo)
		return;
	if (program_text_meets_constants(lo, hi)) {
		grow(&constants, lo, hi);
		tell_constants(lo, hi);
	}
	if (program_text_meets(lo, hi)) {
		grow(&code, lo, hi);
		tell_code(lo, hi);
	}
	errno = error;
}

void code_writes_opened(void)
{
	uintptr_t lo = atomic_load(&constants.from);
	uintptr_t hi = atomic_load(&constants.to);

	if (lo < hi)
		tell_constants(lo, hi);
	lo = atomic_load(&code.from);
	hi = atomic_load(&code.to);
	if (lo < hi)
		tell_code(lo, hi);
}

/* Code that cannot be read cannot be copied either (native/text_page.h). */
static bool is_plain(int rights)
{
	return rights == (PROT_READ | PROT_EXEC);
}

int code_writes_protect(void *at, size_t bytes, int rights)
{
	if (!is_plain(rights))
		note(at, bytes);
	return rtld_next.mprotect(at, bytes, rights);
}

STAND_IN
int mprotect(void *at, size_t bytes, int rights)
{
	return code_writes_protect(at, bytes, rights);
}

STAND_IN
int pkey_mprotect(void *at, size_t bytes, int rights, int key)
{
	if (!is_plain(rights) || key > 0)
		note(at, bytes);
	return rtld_next.pkey_mprotect(at, bytes, rights, key);
}

STAND_IN
ssize_t process_vm_writev(pid_t pid, const struct iovec *local, unsigned long n,
			  const struct iovec *remote, unsigned long n_remote,
			  unsigned long flags)
{
	for (unsigned long i = 0; pid == getpid() && i < n_remote; i++)
		note(remote[i].iov_base, remote[i].iov_len);
	return rtld_next.process_vm_writev(pid, local, n, remote, n_remote,
					   flags);
}

/* The program's malloc(3) may come here before rtld_next_init(). */
static void *map(void *at, size_t bytes, int rights, int flags, int fd,
		 off_t offset)
{
	long result;

	if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
		note(at, bytes);
	result = cof_raw6(SYS_mmap, (long)at, (long)bytes, rights, flags, fd,
			  offset);
	if (result < 0 && result > -PAGE_LEAST) {
		errno = (int)-result;
		return MAP_FAILED;
	}
	return (void *)result;
}

STAND_IN
void *mmap(void *at, size_t bytes, int rights, int flags, int fd, off_t offset)
{
	return map(at, bytes, rights, flags, fd, offset);
}

STAND_IN
void *mmap64(void *at, size_t bytes, int rights, int flags, int fd,
	     off64_t offset)
{
	return map(at, bytes, rights, flags, fd, offset);
}
