/*
 * former_action.c - see former_action.h
 */
#include "process/former_action.h"

#include <string.h>
#include <ucontext.h>

#include "base/libc_signal.h"
#include "base/rawcall.h"

#define FORMER_SIGINFO   (1ull << 61)
#define FORMER_NODEFER   (1ull << 62)
#define FORMER_RESETHAND (1ull << 63)
#define FORMER_ADDRESS   (FORMER_SIGINFO - 1)

void cof_former_action_set(struct cof_former_action *f,
			   const struct sigaction *act)
{
	uint64_t handler = (uint64_t)(uintptr_t)act->sa_handler;
	uint64_t mask;

	/* The first 64 bits of libc's set are the kernel's. */
	memcpy(&mask, &act->sa_mask, sizeof(mask));
	if (act->sa_flags & SA_SIGINFO)
		handler |= FORMER_SIGINFO;
	if (act->sa_flags & SA_NODEFER)
		handler |= FORMER_NODEFER;
	if (act->sa_flags & (int)SA_RESETHAND)
		handler |= FORMER_RESETHAND;
	f->whole = *act;
	atomic_store_explicit(&f->mask, mask, memory_order_relaxed);
	atomic_store_explicit(&f->handler, handler, memory_order_relaxed);
}

struct sigaction cof_former_action_get(const struct cof_former_action *f)
{
	struct sigaction act = f->whole;

	if (atomic_load_explicit(&f->handler, memory_order_relaxed) == 0)
		act.sa_handler = SIG_DFL;
	return act;
}

/*
 * Do the default action, which only the kernel can: end, stop or ignore. If the
 * process survives it, libcof's handler is put back.
 */
static void default_action(int sig)
{
	struct cof_raw_sigaction none = { 0 }, ours;
	uint64_t one = 1ull << (sig - 1), before;

	cof_raw_rt_sigaction(sig, NULL, &ours);
	cof_raw_rt_sigaction(sig, &none, NULL);
	cof_raw_tgkill((int)cof_raw_getpid(), (int)cof_raw_gettid(), sig);
	cof_raw_rt_sigprocmask(SIG_UNBLOCK, &one, &before);
	cof_raw_rt_sigaction(sig, &ours, NULL);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &before, NULL);
}

/* That of the interrupted code. In a handler of one of libc's signals libcof
 * blocks more (process.c). */
static uint64_t mask_of(const ucontext_t *context)
{
	uint64_t mask;

	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	return mask;
}

void cof_former_action_run(struct cof_former_action *f, int sig,
			   siginfo_t *info, void *ucontext)
{
	uint64_t h = atomic_load_explicit(&f->handler, memory_order_relaxed);
	uint64_t mask = atomic_load_explicit(&f->mask, memory_order_relaxed);
	uint64_t one = 1ull << (sig - 1), before;
	uintptr_t at = (uintptr_t)(h & FORMER_ADDRESS);

	if (at == (uintptr_t)SIG_IGN)
		return;
	if (at == (uintptr_t)SIG_DFL) {
		default_action(sig);
		return;
	}
	/* Unless the program has set another action meanwhile. Relaxed: the
	 * word orders nothing else. */
	if (h & FORMER_RESETHAND) {
		uint64_t was = h;

		atomic_compare_exchange_strong_explicit(&f->handler, &was, 0,
							memory_order_relaxed,
							memory_order_relaxed);
	}
	if (cof_libc_signal_is(sig)) {
		mask |= one | mask_of(ucontext);
		cof_raw_rt_sigprocmask(SIG_SETMASK, &mask, &before);
	} else {
		cof_raw_rt_sigprocmask(SIG_BLOCK, &mask, &before);
		if (h & FORMER_NODEFER && !(mask & one))
			cof_raw_rt_sigprocmask(SIG_UNBLOCK, &one, NULL);
	}
	if (h & FORMER_SIGINFO)
		((void (*)(int, siginfo_t *, void *))at)(sig, info, ucontext);
	else
		((void (*)(int))at)(sig);
	cof_raw_rt_sigprocmask(SIG_SETMASK, &before, NULL);
}
