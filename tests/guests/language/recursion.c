/*
 * recursion.c - deep stacks: old versions stay while a frame needs them
 *
 * guest-hot:
 * guest-reclaims:
 */
#include "guest.h"

NOINLINE static uint64_t depth(unsigned n, uint64_t x)
{
	volatile uint64_t keep = x;

	if (n == 0)
		return x;
	x = depth(n - 1, x * 3 + n);
	return x ^ keep;
}

NOINLINE static unsigned ackermann(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

NOINLINE static unsigned is_odd(unsigned n);

NOINLINE static unsigned is_even(unsigned n)
{
	volatile unsigned k = n;

	return k == 0 ? 1 : !!is_odd(n - 1) + 0u;
}

NOINLINE static unsigned is_odd(unsigned n)
{
	volatile unsigned k = n;

	return k == 0 ? 0 : !!is_even(n - 1) + 0u;
}

NOINLINE static uint64_t fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static uint64_t inner(void)
{
	uint64_t h = MIX0;

	h = mix(h, depth(20000, 7));
	h = mix(h, ackermann(2, 60));
	h = mix(h, is_even(5000) * 2 + is_odd(4001));
	return mix(h, fib(18));
}

/* The loop runs at the bottom of 200 frames that never return meanwhile. */
NOINLINE static uint64_t under(unsigned n)
{
	volatile unsigned keep = n;
	uint64_t x;

	if (n == 0) {
		guest_run("recursion", inner);
		return 1;
	}
	x = under(n - 1);
	return x * 3 + keep;
}

int main(void)
{
	printf("came back with %016" PRIx64 "\n", under(200));
	return 0;
}
