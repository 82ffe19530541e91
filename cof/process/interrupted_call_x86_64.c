/*
 * interrupted_call_x86_64.c - see interrupted_call.h
 */
#include "process/interrupted_call.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "base/rawcall.h"

#define SYSCALL_BYTES 2		/* of the instruction */

/*
 * The calls that wait, and that SA_RESTART begins again, by signal(7). Of the
 * others some end with EINTR after any handler, and some go on after any.
 */
static bool may_end(const greg_t *reg)
{
	switch (reg[REG_RAX]) {
	case SYS_read: case SYS_readv: case SYS_pread64: case SYS_preadv:
	case SYS_preadv2:
	case SYS_write: case SYS_writev: case SYS_pwrite64: case SYS_pwritev:
	case SYS_pwritev2:
	case SYS_sendfile: case SYS_splice: case SYS_tee: case SYS_vmsplice:
	case SYS_copy_file_range:
	case SYS_open: case SYS_openat: case SYS_openat2: case SYS_creat:
	case SYS_ioctl: case SYS_fcntl: case SYS_flock:
	case SYS_connect: case SYS_accept: case SYS_accept4:
	case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg:
	case SYS_sendto: case SYS_sendmsg: case SYS_sendmmsg:
	case SYS_wait4: case SYS_waitid:
	case SYS_mq_timedsend: case SYS_mq_timedreceive:
	case SYS_getrandom:
		return true;
	case SYS_futex:
		switch (reg[REG_RSI] & FUTEX_CMD_MASK) {
		case FUTEX_WAIT: case FUTEX_WAIT_BITSET:
			return true;
		}
	}
	return false;
}

/*
 * The kernel has put the program counter back to the instruction, which is not
 * read: memory may be executable only. The instruction itself leaves the
 * address after it in RCX (Intel SDM vol. 2, SYSCALL), and the kernel the
 * call's number in RAX.
 */
static bool begins_again(const greg_t *reg)
{
	return reg[REG_RCX] == reg[REG_RIP] + SYSCALL_BYTES && may_end(reg);
}

/* Has it a handler, without SA_RESTART? */
static bool ends_calls(int sig)
{
	struct cof_raw_sigaction act;

	return cof_raw_rt_sigaction(sig, NULL, &act) == 0 &&
	       act.handler != (void *)SIG_DFL &&
	       act.handler != (void *)SIG_IGN && !(act.flags & SA_RESTART);
}

void cof_interrupted_call_end(ucontext_t *context)
{
	greg_t *reg = context->uc_mcontext.gregs;
	uint64_t next = 0, mask;

	if (!begins_again(reg) ||
	    cof_raw(SYS_rt_sigpending, (long)&next, sizeof(next), 0, 0) != 0)
		return;
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	for (next &= ~mask; next != 0; next &= next - 1) {
		if (!ends_calls(__builtin_ctzll(next) + 1))
			continue;
		reg[REG_RAX] = -EINTR;
		reg[REG_RIP] += SYSCALL_BYTES;
		return;
	}
}
