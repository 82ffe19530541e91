/*
 * calling_conventions.c - functions of each calling convention are first called
 * by code that relies on the registers that the convention keeps, or passes
 * arguments in
 *
 * cc: -msse2 -Wno-ignored-attributes
 */
#include <stdio.h>
#include <time.h>

#define PLAIN_CC
#define PRESERVE_MOST  __attribute__((preserve_most))
#define PRESERVE_ALL   __attribute__((preserve_all))
#define PRESERVE_NONE  __attribute__((preserve_none))
#define REGCALL        __attribute__((regcall))
#define VECTORCALL     __attribute__((vectorcall))
#define MS             __attribute__((ms_abi))
#define SYSV           __attribute__((sysv_abi))
#define SWIFT          __attribute__((swiftcall))
#define KEEPS          __attribute__((no_caller_saved_registers))

struct many { long n[10]; double x[10]; };

/* Their values stay in registers from here on. */
#define PIN(a, x)                                                              \
	__asm__ volatile("" : "+r"(a[0]), "+r"(a[1]), "+r"(a[2]), "+r"(a[3]),  \
			      "+r"(a[4]), "+r"(a[5]), "+r"(a[6]));             \
	__asm__ volatile("" : "+x"(x[0]), "+x"(x[1]), "+x"(x[2]), "+x"(x[3]),  \
			      "+x"(x[4]), "+x"(x[5]), "+x"(x[6]), "+x"(x[7]))

#define CALLEE(name, CC, ATTR)                                                 \
	CC ATTR __attribute__((noinline)) static long name(                    \
		long a, long b, long c, long d, long e, long f, long g,        \
		long h, long i, long j, long k, long l)                        \
	{                                                                      \
		__asm__ volatile("" : "+r"(a));                                \
		return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g +   \
		       17 * h + 19 * i + 23 * j + 29 * k + 31 * l;             \
	}

/* how 0: no call; 1: direct; 2: by a pointer */
#define CONVENTION(name, CC, ATTR)                                             \
	CALLEE(name##_direct, CC, ATTR)                                        \
	CALLEE(name##_by_pointer, CC, ATTR)                                    \
	static __typeof__(&name##_by_pointer) volatile name##_pointer =        \
		name##_by_pointer;                                             \
	__attribute__((noinline)) static double name(const struct many *m,     \
						     int how)                  \
	{                                                                      \
		long a[7], r = 0;                                              \
		double x[8], sum = 0;                                          \
		for (int i = 0; i < 7; i++)                                    \
			a[i] = m->n[i];                                        \
		for (int i = 0; i < 8; i++)                                    \
			x[i] = m->x[i];                                        \
		PIN(a, x);                                                     \
		if (how == 1)                                                  \
			r = name##_direct(a[0], a[1], a[2], a[3], a[4],        \
				a[5], a[6], a[0] + 1, a[1] + 2, a[2] + 3,      \
				a[3] + 4, a[4] + 5);                           \
		else if (how == 2)                                             \
			r = name##_pointer(a[0], a[1], a[2], a[3], a[4],       \
				a[5], a[6], a[0] + 1, a[1] + 2, a[2] + 3,      \
				a[3] + 4, a[4] + 5);                           \
		for (int i = 0; i < 7; i++)                                    \
			sum = sum * 3 + (double)a[i];                          \
		for (int i = 0; i < 8; i++)                                    \
			sum = sum * 3 + x[i];                                  \
		return sum + (double)r;                                        \
	}

#define CONVENTIONS(DO)                                                        \
	DO(plain, PLAIN_CC, )                                                  \
	DO(preserve_most, PRESERVE_MOST, )                                     \
	DO(preserve_all, PRESERVE_ALL, )                                       \
	DO(preserve_none, PRESERVE_NONE, )                                     \
	DO(regcall, REGCALL, )                                                 \
	DO(vectorcall, VECTORCALL, )                                           \
	DO(ms, MS, )                                                           \
	DO(sysv, SYSV, )                                                       \
	DO(swift, SWIFT, )                                                     \
	DO(keeps, PLAIN_CC, KEEPS)
CONVENTIONS(CONVENTION)

typedef double convention_fn(const struct many *, int);

static const struct {
	const char    *name;
	convention_fn *f;
} all[] = {
#define ROW(name, cc, attr) { #name, name },
	CONVENTIONS(ROW)
};
#define N (sizeof(all) / sizeof(*all))

/* Floating-point arguments, which are in vector registers. */
#define FLOATS(name, CC)                                                       \
	CC __attribute__((noinline)) static double name##_floats(              \
		double a, double b, double c, double d, double e, double f)    \
	{                                                                      \
		return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f;             \
	}
FLOATS(plain, PLAIN_CC)
FLOATS(preserve_most, PRESERVE_MOST)
FLOATS(preserve_all, PRESERVE_ALL)
FLOATS(preserve_none, PRESERVE_NONE)
FLOATS(regcall, REGCALL)
FLOATS(vectorcall, VECTORCALL)
FLOATS(ms, MS)
FLOATS(swift, SWIFT)

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int main(int argc, char **argv)
{
	struct many m;
	double sum = 0;
	long until;

	(void)argv;
	for (int i = 0; i < 10; i++) {
		m.n[i] = argc + i;
		m.x[i] = argc + i * 0.5;
	}
	/* The callers are compiled anew before they first call. */
	until = cpu_ms() + 300;
	do {
		for (int k = 0; k < 10000; k++)
			for (size_t i = 0; i < N; i++)
				sum = all[i].f(&m, 0);
	} while (cpu_ms() < until);
	printf("%.17g\n", sum);
	for (size_t i = 0; i < N; i++)
		printf("%s %.17g %.17g\n", all[i].name, all[i].f(&m, 1),
		       all[i].f(&m, 2));
	printf("%g %g %g %g %g %g %g %g\n", plain_floats(1, 2, 3, 4, 5, argc),
	       preserve_most_floats(1, 2, 3, 4, 5, argc),
	       preserve_all_floats(1, 2, 3, 4, 5, argc),
	       preserve_none_floats(1, 2, 3, 4, 5, argc),
	       regcall_floats(1, 2, 3, 4, 5, argc),
	       vectorcall_floats(1, 2, 3, 4, 5, argc),
	       ms_floats(1, 2, 3, 4, 5, argc),
	       swift_floats(1, 2, 3, 4, 5, argc));
	return 0;
}
