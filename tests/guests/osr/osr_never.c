/*
 * osr_never.c - loops in frames that cannot be left, else as in osr.c
 *
 * guest-args: jumped
 * guest-args: tail
 */
#include <setjmp.h>

#include "guest.h"

static jmp_buf back;

NOINLINE static void jump(int i)
{
	if (i % 3 == 0)
		longjmp(back, i + 1);
}

/* Comes back to a frame: that one cannot be left. */
NOINLINE static uint64_t jumped(void)
{
	volatile uint64_t n = 0;

	ROUNDS_BEGIN(h)
		volatile int i = 0;
		int got;

		n = 0;
		for (i = 0; i < 3000; i++) {
			got = setjmp(back);
			if (got == 0)
				jump(i);
			else
				n += (uint64_t)got;
		}
		h = mix(h, n);
	ROUNDS_END(h);
	return first_;
}

NOINLINE static uint64_t tail_odd(uint64_t n, uint64_t h);

NOINLINE static uint64_t tail_even(uint64_t n, uint64_t h)
{
	for (int i = 0; i < 5; i++)
		h = h * 31 + n;
	if (n == 0)
		return h;
	__attribute__((musttail)) return tail_odd(n - 1, h);
}

NOINLINE static uint64_t tail_odd(uint64_t n, uint64_t h)
{
	for (int i = 0; i < 3; i++)
		h = h * 33 ^ n;
	if (n == 0)
		return h;
	__attribute__((musttail)) return tail_even(n - 1, h);
}

static uint64_t tail(void)
{
	ROUNDS_BEGIN(h)
		h = tail_even(200000, h);
	ROUNDS_END(h);
	return first_;
}

static const struct guest_case cases[] = {
	GUEST_CASE(jumped), GUEST_CASE(tail),
};

int main(int argc, char **argv)
{
	return guest_cases(cases, sizeof(cases) / sizeof(*cases), argc, argv);
}
