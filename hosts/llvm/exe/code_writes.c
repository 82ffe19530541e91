/*
 * code_writes.c - see code_writes.h
 *
 * The kernel is called directly: libcof and allocators call mprotect(2) before
 * libc's could be looked up.
 */
#include "exe/code_writes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#include "base/rawcall.h"
#include "program/module.h"

static struct cofl *_Atomic program;	/* NULL: it has not begun */

void code_writes_init(struct cofl *host)
{
	atomic_store_explicit(&program, host, memory_order_release);
}

/* The kernel's answer, as libc gives it. */
static int answer(long result)
{
	if (result >= 0)
		return 0;
	errno = (int)-result;
	return -1;
}

/* The functions are left alone first, since another thread of the program may
 * write as soon as the kernel allows it. */
static void note(const void *from, size_t bytes, int rights)
{
	struct cofl *host = atomic_load_explicit(&program,
						 memory_order_acquire);
	int saved = errno;

	if (host != NULL && rights & PROT_WRITE)
		cofl_module_leave_alone(host, from, bytes);
	errno = saved;
}

__attribute__((visibility("default")))
int mprotect(void *from, size_t bytes, int rights)
{
	note(from, bytes, rights);
	return answer(cof_raw(SYS_mprotect, (long)from, (long)bytes, rights,
			      0));
}

__attribute__((visibility("default")))
int pkey_mprotect(void *from, size_t bytes, int rights, int key)
{
	if (key == -1)		/* then it is mprotect(2), as in libc */
		return mprotect(from, bytes, rights);
	note(from, bytes, rights);
	return answer(cof_raw(SYS_pkey_mprotect, (long)from, (long)bytes,
			      rights, key));
}
