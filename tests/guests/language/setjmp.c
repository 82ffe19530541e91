/*
 * setjmp.c - longjmp over frames of code that gets replaced
 *
 * guest-hot:
 */
#include <setjmp.h>
#include <signal.h>

#include "guest.h"

static jmp_buf up;
static sigjmp_buf sig_up;

NOINLINE static uint64_t dive(unsigned depth, uint64_t x)
{
	if (depth == 0) {
		if (x % 3 == 0)
			longjmp(up, (int)(x % 1000) + 1);
		return x;
	}
	x = dive(depth - 1, mix(x, depth));
	return x ^ depth;
}

NOINLINE static uint64_t catcher(uint64_t seed)
{
	volatile uint64_t before = seed * 3;
	volatile unsigned tries = 0;
	int code = setjmp(up);

	if (code) {
		tries++;
		before += (uint64_t)code;
		if (tries < 4)
			return mix(before, dive(5, seed * 3 + 1) % 7);
		return before;
	}
	return dive(12, seed) + before;
}

NOINLINE static uint64_t loops(void)
{
	volatile unsigned n = 0;

	if (setjmp(up) < 50)
		longjmp(up, (int)++n);
	return n;
}

NOINLINE static void jump_out(int n)
{
	siglongjmp(sig_up, n);
}

/* siglongjmp puts the signal mask back. */
NOINLINE static uint64_t masks(void)
{
	sigset_t set, now;
	int n;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	n = sigsetjmp(sig_up, 1);
	sigprocmask(SIG_SETMASK, NULL, &now);
	if (n)
		return (uint64_t)(n * 2 + sigismember(&now, SIGUSR1));
	sigprocmask(SIG_BLOCK, &set, NULL);
	jump_out(21);
	return 0;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 500; i++) {
		/* Not every dive ends in a jump; those that do may nest. */
		if (setjmp(up) == 0)
			h = mix(h, catcher(i * 3));
	}
	h = mix(h, loops());
	return mix(h, masks());
}

int main(void)
{
	guest_run("setjmp", round_);
	return 0;
}
