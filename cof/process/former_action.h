/*
 * former_action.h - what a signal did before libcof's handler was put over it
 *
 * The handler reads the action, on any thread, while another thread may set it.
 * So it is one word, with the handler's address and three flags in the bits
 * that no user address has, and one more word for the mask. A signal that comes
 * between the two stores sees the new handler and the old mask.
 *
 * What it cannot give: the former handler runs on the alternate stack if there
 * is one, and system calls that it interrupted are restarted, whatever its
 * SA_ONSTACK and SA_RESTART said.
 */
#pragma once

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>

struct cof_former_action {
	_Atomic uint64_t handler;	/* SIG_DFL, SIG_IGN or address; flags */
	_Atomic uint64_t mask;		/* signals 1..64, as the kernel's */
	struct sigaction whole;		/* of who sets it: as it was given */
};

void cof_former_action_set(struct cof_former_action *f,
			   const struct sigaction *act);

/* As the program would read it now: SA_RESETHAND may have reset it. */
struct sigaction cof_former_action_get(const struct cof_former_action *f);

/* In the handler: do with the signal what the kernel would have done.
 * Async-signal-safe. */
void cof_former_action_run(struct cof_former_action *f, int sig,
			   siginfo_t *info, void *ucontext);
