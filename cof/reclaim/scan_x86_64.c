/*
 * scan_x86_64.c - read a ucontext, and memory that may not be mapped
 */
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

#include "base/units.h"
#include "reclaim/scan.h"

#define BATCH 16	/* pages probed in one system call */

#define GENERAL 17	/* registers, pc among them */

_Static_assert(REG_RIP < GENERAL && REG_RSP < GENERAL,
	       "general registers and pc come first");
_Static_assert(sizeof(((struct _libc_fpstate *)0)->_xmm) ==
	       (COF_SCAN_REGS - GENERAL) * sizeof(uintptr_t), "16 xmm");

uintptr_t cof_scan_registers(const void *ucontext,
			     uintptr_t reg[COF_SCAN_REGS])
{
	const ucontext_t *uc = ucontext;
	const uintptr_t *xmm = NULL;

	if (uc->uc_mcontext.fpregs)
		xmm = (const uintptr_t *)
			(const void *)uc->uc_mcontext.fpregs->_xmm;
	for (int i = 0; i < GENERAL; i++)
		reg[i] = (uintptr_t)uc->uc_mcontext.gregs[i];
	for (int i = GENERAL; i < COF_SCAN_REGS; i++)
		reg[i] = xmm ? xmm[i - GENERAL] : 0;
	return reg[REG_RSP];
}

/* process_vm_readv(2) without libc: no errno, no lazy binding. */
static long vm_read(const struct iovec *to, long n_to, const struct iovec *from,
		    long n_from)
{
	long ret;
	long pid;
	register long r10 __asm__("r10") = (long)from;
	register long r8 __asm__("r8") = n_from;
	register long r9 __asm__("r9") = 0;

	__asm__ volatile("syscall" : "=a"(pid) : "a"(SYS_getpid)
			 : "rcx", "r11", "memory");
	__asm__ volatile("syscall" : "=a"(ret)
			 : "a"(SYS_process_vm_readv), "D"(pid), "S"(to),
			   "d"(n_to), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

long cof_scan_copy(void *to, uintptr_t from, size_t bytes)
{
	struct iovec here = { to, bytes }, there = { (void *)from, bytes };

	return vm_read(&here, 1, &there, 1);
}

/* Read a word of each page, from the top down, until one cannot be read. */
uintptr_t cof_scan_readable(uintptr_t lo, uintptr_t hi)
{
	uintptr_t page = hi & ~(uintptr_t)(COF_PAGE_BYTES - 1), word[BATCH];
	struct iovec here = { word, sizeof(word) }, there[BATCH];

	if (page == hi)
		page -= COF_PAGE_BYTES;
	lo &= ~(uintptr_t)(COF_PAGE_BYTES - 1);
	for (;;) {
		long n = 0, got;

		for (uintptr_t p = page; n < BATCH && p >= lo;
		     p -= COF_PAGE_BYTES, n++)
			there[n] = (struct iovec){ (void *)p, sizeof(*word) };
		got = n > 0 ? vm_read(&here, 1, there, n) : 0;
		if (got < 0)
			got = 0;
		got /= (long)sizeof(*word);
		page -= (uintptr_t)got * COF_PAGE_BYTES;
		if (n == 0 || got < n)
			break;
	}
	page += COF_PAGE_BYTES;
	return page < hi ? page : hi;
}
