/*
 * libc_signal.c - sigaction(2) past libc; see libc_signal.h
 */
#include "base/libc_signal.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/rawcall.h"
#include "base/sigreturn.h"

static struct cof_raw_sigaction to_kernel(const struct sigaction *act)
{
	struct cof_raw_sigaction to = {
		.handler = (void *)(uintptr_t)act->sa_handler,
		.flags = (unsigned)act->sa_flags | COF_SA_RESTORER,
		.restorer = (void *)(uintptr_t)cof_sigreturn,
	};

	/* The first 64 bits of libc's set are the kernel's. */
	memcpy(&to.mask, &act->sa_mask, sizeof(to.mask));
	return to;
}

static struct sigaction from_kernel(const struct cof_raw_sigaction *act)
{
	struct sigaction from = { .sa_flags = (int)act->flags };

	from.sa_handler = (void (*)(int))(uintptr_t)act->handler;
	memcpy(&from.sa_mask, &act->mask, sizeof(act->mask));
	return from;
}

int cof_libc_signal_action(int sig, const struct sigaction *act,
			   struct sigaction *old)
{
	struct cof_raw_sigaction to, was;
	long err;

	if (act)
		to = to_kernel(act);
	err = cof_raw_rt_sigaction(sig, act ? &to : NULL, &was);
	if (err != 0) {
		errno = (int)-err;
		return -1;
	}
	if (old)
		*old = from_kernel(&was);
	return 0;
}
