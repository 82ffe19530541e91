/*
 * vectors.c - vector types of 16 and 32 bytes, passed, returned and shuffled
 *
 * How 32 bytes are passed depends on whether AVX is on where caller and callee
 * were compiled; a version built for the host's CPU must agree with the rest.
 *
 * guest-hot:
 * guest-cflags: -Wno-psabi
 */
#include <string.h>

#include "guest.h"

typedef float    f4  __attribute__((vector_size(16)));
typedef int32_t  i4  __attribute__((vector_size(16)));
typedef uint8_t  u16 __attribute__((vector_size(16)));
typedef double   d4  __attribute__((vector_size(32)));
typedef int32_t  i8  __attribute__((vector_size(32)));
typedef uint64_t q8  __attribute__((vector_size(64)));

NOINLINE static f4 axpy(f4 a, f4 x, f4 y) { return a * x + y; }
NOINLINE static i4 select4(i4 a, i4 b) { return ((a > b) & a) | (b * 3); }
NOINLINE static u16 bytes(u16 a, u16 b) { return (a + b) ^ (a >> 3); }
NOINLINE static d4 wide(d4 a, d4 b) { return a / b + b; }
NOINLINE static i8 turn(i8 a)
{
	return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0);
}
NOINLINE static q8 widest(q8 a, int n, q8 b) { return a * b + (uint64_t)n; }

static d4 (*volatile wide_pointer)(d4, d4) = wide;

static uint64_t round_(void)
{
	f4 f = { 1, 2, 3, 4 }, y = { .1f, .2f, .3f, .4f };
	i4 i = { 5, -6, 7, -8 };
	u16 u = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	d4 d = { 1.5, 2.5, 3.5, 4.5 };
	i8 t = { 1, 2, 3, 4, 5, 6, 7, 8 };
	q8 q = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint64_t h = MIX0, w[8];

	for (int n = 0; n < 3000; n++) {
		f4 half = { .5f, .25f, .125f, .75f };

		f = axpy(half, f, y);
		i = select4(i, (i4){ n, -n, n * 2, 3 }) >> 1;
		u = bytes(u, (u16)i);
		d = wide(d, d + 1);
		d = wide_pointer(d, (d4){ 3, 5, 7, 9 });
		t = turn(t) + (i8){ n, 1, n, 2, n, 3, n, 4 };
		q = widest(q, n, q + 2);
		memcpy(w, &u, 16);
		h = mix(h, w[0] ^ w[1]);
		memcpy(w, &f, 16);
		h = mix(h, w[0] + w[1]);
		memcpy(w, &d, 32);
		h = mix(h, w[0] + w[1] * 3 + w[2] * 5 + w[3] * 7);
		memcpy(w, &t, 32);
		h ^= w[0] + w[1] + w[2] * 3 + w[3] + q[n % 8];
	}
	return h;
}

int main(void)
{
	guest_run("vectors", round_);
	return 0;
}
