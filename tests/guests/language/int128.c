/*
 * int128.c - __int128: products, quotients, shifts, parameters and returns
 *
 * guest-hot:
 */
#include "guest.h"

typedef unsigned __int128 u128;
typedef __int128 i128;

NOINLINE static u128 mulmod(u128 a, uint64_t b, u128 m)
{
	return a * b % m;
}

NOINLINE static i128 divide(i128 a, i128 b, int *rest)
{
	*rest = (int)(a % b);
	return a / b;
}

/* Split over registers and stack: the sixth word does not fit. */
NOINLINE static u128 many(int a, u128 b, int c, u128 d, int e, u128 f)
{
	return b * (u128)a + (d << (c % 100)) + (f >> (e % 100));
}

static uint64_t fold(u128 x)
{
	return (uint64_t)x ^ (uint64_t)(x >> 64) * 31;
}

static uint64_t round_(void)
{
	u128 m = ((u128)1 << 107) - 1, a = 3;
	uint64_t h = MIX0;
	int rest;

	for (int i = 1; i < 1500; i++) {
		a = mulmod(a, 0x9e3779b97f4a7c15u + (uint64_t)i, m);
		h = mix(h, fold(a));
		h = mix(h, fold((u128)divide((i128)a - m / 2, i - 2000,
					     &rest)));
		h = mix(h, (uint64_t)rest);
		h = mix(h, fold(many(i, a, i, a + 1, i, a * 3)));
		h = mix(h, bits((double)(i128)a) + (a > m / 3));
		h = mix(h, fold((u128)((double)a / 1e9)));
	}
	return h;
}

int main(void)
{
	guest_run("int128", round_);
	return 0;
}
