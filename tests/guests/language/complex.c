/*
 * complex.c - _Complex of three sizes, in parameters, returns and libm
 *
 * guest-hot:
 * guest-libs: -lm
 */
#include <complex.h>
#include <math.h>

#include "guest.h"

NOINLINE static double complex step(double complex z, double complex c)
{
	return z * z + c;
}

NOINLINE static float complex stepf(float complex z, float complex c)
{
	return z * z / (c + 3) + conjf(z);
}

NOINLINE static long double complex stepl(long double complex z)
{
	return z * (0.5L + 0.25L * I) + 1;
}

static uint64_t fold(uint64_t h, double complex z)
{
	return mix(mix(h, bits(creal(z))), bits(cimag(z)));
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (int y = -8; y <= 8; y++) {
		for (int x = -16; x <= 8; x++) {
			double complex c = x / 8. + y / 8. * I, z = 0;
			float complex f = x / 4.f + y / 4.f * I;
			long double complex l = x + y * 1.0iL;
			int n = 0;

			while (n < 60 && cabs(z) < 2) {
				z = step(z, c);
				n++;
			}
			h = fold(mix(h, (uint64_t)n), z);
			for (int i = 0; i < 5; i++) {
				f = stepf(f, f + 1);
				l = stepl(l);
			}
			h = fold(fold(h, f), l);
			h = fold(h, csqrt(c) * cexp(I * cimag(c)));
		}
	}
	return fold(h, (INFINITY + 0 * I) * (1 + 2 * I));
}

int main(void)
{
	guest_run("complex", round_);
	return 0;
}
