/*
 * rawcall.h - system calls for signal handlers: no libc, no errno
 *
 * For x86-64 Linux. Each returns what the kernel returns: a negative errno on
 * failure. Structures are the kernel's; libc's of the same name differ.
 */
#pragma once

#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "base/libc_signal.h"

static inline long cof_raw(long number, long a, long b, long c, long d)
{
	long ret;
	register long r10 __asm__("r10") = d;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return ret;
}

static inline long cof_raw6(long number, long a, long b, long c, long d,
			    long e, long f)
{
	long ret;
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

/*
 * A child as vfork(2)'s, whose end sends no signal: 0 there, its number here.
 * Inlined in any case, as the child must not return: it has the caller's stack.
 */
static inline __attribute__((always_inline)) long cof_raw_vfork(void)
{
	long ret;

	__asm__ volatile("xor %%r10d, %%r10d; xor %%r8d, %%r8d; syscall"
			 : "=a"(ret)
			 : "0"((long)SYS_clone),
			   "D"((long)(CLONE_VM | CLONE_VFORK)), "S"(0L),
			   "d"(0L)
			 : "rcx", "r8", "r10", "r11", "memory");
	return ret;
}

struct cof_raw_sigaction {
	void         *handler;
	unsigned long flags;
	void         *restorer;
	uint64_t      mask;
};

static inline long cof_raw_rt_sigaction(int sig,
					const struct cof_raw_sigaction *act,
					struct cof_raw_sigaction *old)
{
	return cof_raw(SYS_rt_sigaction, sig, (long)act, (long)old,
		       sizeof(uint64_t));
}

static inline long cof_raw_rt_sigprocmask(int how, const uint64_t *set,
					  uint64_t *old)
{
	return cof_raw(SYS_rt_sigprocmask, how, (long)set, (long)old,
		       sizeof(uint64_t));
}

/*
 * Block all signals but COF_LIBC_SIGNAL_SETXID: libc waits until each thread
 * has handled it. Unlike libc's functions this blocks COF_LIBC_SIGNAL_CANCEL,
 * which samples come by; theirs unblock it where they set a whole mask.
 */
static inline void cof_raw_block_signals(uint64_t *before)
{
	const uint64_t all = ~(1ull << (COF_LIBC_SIGNAL_SETXID - 1));

	cof_raw_rt_sigprocmask(SIG_SETMASK, &all, before);
}

static inline void cof_raw_set_signals(const uint64_t *mask)
{
	cof_raw_rt_sigprocmask(SIG_SETMASK, mask, NULL);
}

static inline long cof_raw_tgkill(int pid, int tid, int sig)
{
	return cof_raw(SYS_tgkill, pid, tid, sig, 0);
}

static inline long cof_raw_getpid(void)
{
	return cof_raw(SYS_getpid, 0, 0, 0, 0);
}

static inline long cof_raw_gettid(void)
{
	return cof_raw(SYS_gettid, 0, 0, 0, 0);
}
