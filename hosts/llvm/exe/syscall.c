/*
 * syscall.c - prctl(2), and what the stand-ins do; see syscall.h
 */
#include "exe/syscall.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "cof.h"
#include "exe/rtld_next.h"
#include "program/module.h"
#include "program/program.h"
#include "support/maker.h"

static struct cofl *_Atomic program;	/* NULL: none yet, or it is quiet */

void syscall_init(struct cofl *host)
{
	atomic_store_explicit(&program, host, memory_order_release);
}

/* A filter is about to be set. A second call does nothing. */
void syscall_filter_comes(void);

void syscall_filter_comes(void)
{
	struct cofl *host = atomic_exchange_explicit(&program, NULL,
						     memory_order_acq_rel);
	int saved = errno;

	if (host == NULL)
		return;
	cof_log_line(cofl_program_cof(host), "COF: the loop ends: the program "
		     "restricts its system calls (seccomp)");
	cofl_module_first_calls_all(host);
	cof_quiesce(cofl_program_cof(host));
	cofl_maker_leave();
	errno = saved;
}

/* Written by syscall_x86_64.S; -1: no thread ended so far. */
extern _Atomic int syscall_last_exit;
_Atomic int syscall_last_exit = -1;

void syscall_thread_ends(void)
{
	atomic_store_explicit(&syscall_last_exit, 0, memory_order_relaxed);
}

int syscall_exit_status(int first)
{
	int last = atomic_load_explicit(&syscall_last_exit,
					memory_order_relaxed);

	return last >= 0 ? last : first;
}

/* -- The stand-ins --------------------------------------------------------- */

/* syscall(2) failed with -result (syscall_x86_64.S). */
long syscall_failed(long result);

long syscall_failed(long result)
{
	errno = (int)-result;
	return -1;
}

__attribute__((visibility("default")))
int prctl(int option, ...)
{
	typedef int prctl_fn(int, unsigned long, unsigned long, unsigned long,
			     unsigned long);
	static void *_Atomic known;
	unsigned long arg[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		arg[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option == PR_SET_SECCOMP)
		syscall_filter_comes();
	return ((prctl_fn *)next_of(&known, "prctl"))(option, arg[0], arg[1],
						      arg[2], arg[3]);
}
