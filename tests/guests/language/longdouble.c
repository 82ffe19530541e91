/*
 * longdouble.c - the x87's 80 bits, in parameters, returns, libm and printf
 *
 * guest-hot:
 * guest-libs: -lm
 */
#include <math.h>
#include <string.h>

#include "guest.h"

NOINLINE static long double poly(long double x, int n, double d, long double y)
{
	long double s = 0;

	for (int i = 0; i < n; i++)
		s = s * x + y / (i + d);
	return s;
}

static uint64_t word(uint64_t h, long double x)
{
	unsigned char b[16] = { 0 };
	uint64_t w[2];

	memcpy(b, &x, 10);
	memcpy(w, b, 16);
	return mix(mix(h, w[0]), w[1]);
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (int i = 1; i < 600; i++) {
		long double x = (long double)i / 601;

		h = word(h, poly(x, 20, 0.75, 3));
		h = word(h, sqrtl(x) + fabsl(-x) + floorl(x * 100));
		h = word(h, expl(x) * sinl(x));
		h = mix(h, (uint64_t)(int64_t)(x * 1e15L));
		h = mix(h, (uint64_t)(x * 1.8e19L));
		h = word(h, (long double)(h >> 1));
	}
	return h;
}

int main(void)
{
	guest_run("longdouble", round_);
	printf("%La %.20Lg\n", poly(0.3L, 9, 1, 2), poly(1.7L, 9, 1, 2));
	return 0;
}
