/*
 * float.c - floating point gives the same bits in every version of the code
 *
 * No product and sum may become one fma, no sum may be reordered, and the
 * rounding mode and the flags belong to the program.
 *
 * guest-hot:
 * guest-libs: -lm
 */
#include <fenv.h>
#include <float.h>
#include <math.h>

#include "guest.h"

NOINLINE static double dot(const double *a, const double *b, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}

NOINLINE static float horner(float x)
{
	return ((((x * 0.3f + 1.7f) * x - 2.9f) * x + 0.01f) * x - 1e-3f) * x;
}

NOINLINE static void saxpy(float *y, const float *x, float a, int n)
{
	for (int i = 0; i < n; i++)
		y[i] = a * x[i] + y[i];
}

NOINLINE static double residue(double a, double b)
{
	return a * b - a * b;	/* 0 unless one side is contracted */
}

NOINLINE static double nbody(int steps)
{
	double x = 1, y = 0, vx = 0, vy = 0.9;

	for (int i = 0; i < steps; i++) {
		double d2 = x * x + y * y, s = 0.001 / (d2 * sqrt(d2));

		vx -= x * s;
		vy -= y * s;
		x += vx * 0.001;
		y += vy * 0.001;
	}
	return x * 3 + y;
}

NOINLINE static double divide(volatile double a, volatile double b)
{
	return a / b;
}

static uint64_t round_(void)
{
	double a[64], b[64];
	float x[64], y[64];
	volatile double half = 2.5, third = 1e9 / 3;
	uint64_t h = MIX0;

	for (int i = 0; i < 64; i++) {
		a[i] = 1.0 / (i + 3);
		b[i] = sin(i) * 1e3;
		x[i] = (float)a[i];
		y[i] = (float)b[i];
	}
	for (int i = 0; i < 100; i++) {
		h = mix(h, bits(dot(a, b, 64 - i % 7)));
		h = mix(h, bits(horner((float)i / 9)));
		h = mix(h, bits(residue(0.1 + i, 0.7)));
		saxpy(y, x, 0.1f, 64);
		b[i % 64] += y[i % 64];
	}
	h = mix(h, bits(nbody(2000)));
	for (int mode = 0; mode < 4; mode++) {
		static const int modes[] = {
			FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO,
		};

		fesetround(modes[mode]);
		h = mix(h, bits(divide(1, 3)) + bits(rint(half)));
	}
	fesetround(FE_TONEAREST);
	feclearexcept(FE_ALL_EXCEPT);
	divide(1, 0);
	h = mix(h, (uint64_t)fetestexcept(FE_DIVBYZERO | FE_INVALID));
	feclearexcept(FE_ALL_EXCEPT);
	h = mix(h, bits(divide(DBL_MIN, 3e10)));	/* subnormal */
	return mix(h, bits(fmin(NAN, 1)) + (uint64_t)lrint(third));
}

int main(void)
{
	double a[3] = { 0.1, 0.2, 0.3 };

	guest_run("float", round_);
	printf("%a %a %a\n", dot(a, a, 3), (double)horner(0.7f), nbody(1000));
	printf("%.17g %e %g\n", residue(0.1, 0.1), 1e300 * 10, -0.0);
	return 0;
}
