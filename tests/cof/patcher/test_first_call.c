/*
 * test_first_call.c - the first call of a method preserves all arguments
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fenv.h>
#include <immintrin.h>
#include <stdbool.h>
#include <unwind.h>

#include "first_call.h"
#include "patcher/stub.h"

/*
 * preserve_none passes an argument in r11. The version returns it: mov %r11,
 * %rax; ret. So no register is left that leads to a version either.
 */
static void r11_survives(void **state)
{
	struct piece p = { .n = 0 };
	long got;

	(void)state;
	piece_bytes(&p, 0x4c, 0x89, 0xd8, 0xc3);
	the_piece = &p;
	cof->host.first_call = add_the_piece;
	__asm__ volatile("mov $77, %%r11; call *%1"
			 : "=a"(got) : "r"(cof_method_stub(method))
			 : "r11", "cc", "memory");
	assert_int_equal(got, 77);
	assert_int_equal(asked, 1);
}

static int collect(int n, ...)
{
	va_list args;
	double sum = 0;
	int ints = 0;

	va_start(args, n);
	for (int i = 0; i < n; i++) {
		ints = ints * 3 + va_arg(args, int);
		sum = sum * 3 + va_arg(args, double);
	}
	va_end(args);
	return ints * 1000 + (int)sum;
}

/* Change all registers that a callee may change. */
static void clobber(void)
{
	errno = ENOTTY;
	__asm__ volatile(
		"mov $-1, %%rax; mov %%rax, %%rcx; mov %%rax, %%rdx;"
		"mov %%rax, %%rsi; mov %%rax, %%rdi; mov %%rax, %%r8;"
		"mov %%rax, %%r9; mov %%rax, %%r10; mov %%rax, %%r11;"
		"pcmpeqd %%xmm0, %%xmm0; movdqa %%xmm0, %%xmm1;"
		"movdqa %%xmm0, %%xmm2; movdqa %%xmm0, %%xmm3;"
		"movdqa %%xmm0, %%xmm4; movdqa %%xmm0, %%xmm5;"
		"movdqa %%xmm0, %%xmm6; movdqa %%xmm0, %%xmm7"
		: : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10",
		  "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
		  "xmm6", "xmm7", "cc");
}

static void varargs_survive(void **state)
{
	int (*call)(int, ...) = (int (*)(int, ...))(uintptr_t)
				cof_method_stub(method);

	(void)state;
	target = collect;
	in_first_call = clobber;
	assert_int_equal(call(5, 1, 1.0, 2, 2.0, 3, 3.0, 4, 4.0, 5, 5.0),
			 collect(5, 1, 1.0, 2, 2.0, 3, 3.0, 4, 4.0, 5, 5.0));
	assert_int_equal(asked, 1);
}

struct many { double d[8]; long l[9]; };

static struct many gather(double a, double b, double c, double d, double e,
			  double f, double g, double h, long i, long j, long k,
			  long l, long m, long n, long on_stack, long too)
{
	return (struct many){ { a, b, c, d, e, f, g, h },
			      { i, j, k, l, m, n, on_stack, too, 0 } };
}

static void registers_stack_and_a_returned_struct_survive(void **state)
{
	struct many (*call)(double, double, double, double, double, double,
			    double, double, long, long, long, long, long, long,
			    long, long) =
		(void *)cof_method_stub(method);
	struct many got;

	(void)state;
	target = gather;
	in_first_call = clobber;
	errno = 0;
	got = call(1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8);
	assert_int_equal(errno, 0);
	for (int i = 0; i < 8; i++) {
		assert_true(got.d[i] == i + 1);
		assert_int_equal(got.l[i], i + 1);
	}
}

static long add_chain(void)
{
	long r10;

	__asm__ volatile("mov %%r10, %0" : "=r"(r10));
	return r10;
}

static void the_static_chain_survives(void **state)
{
	long got;

	(void)state;
	target = add_chain;
	in_first_call = clobber;
	__asm__ volatile("mov $77, %%r10; call *%1"
			 : "=a"(got) : "r"(cof_method_stub(method))
			 : "r10", "r11", "rcx", "rdx", "rsi", "rdi", "r8", "r9",
			   "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3",
			   "xmm4", "xmm5", "xmm6", "xmm7");
	assert_int_equal(got, 77);
}

__attribute__((target("avx"))) static void clobber_avx(void)
{
	clobber();
	_mm256_zeroall();
}

__attribute__((target("avx")))
static __m256d sum_avx(__m256d a, __m256d b, __m256d c, __m256d d, __m256d e,
		       __m256d f, __m256d g, __m256d h)
{
	__m256d r = a;

	r = _mm256_sub_pd(_mm256_add_pd(r, r), b);
	r = _mm256_sub_pd(_mm256_add_pd(r, r), c);
	r = _mm256_sub_pd(_mm256_add_pd(r, r), d);
	r = _mm256_sub_pd(_mm256_add_pd(r, r), e);
	r = _mm256_sub_pd(_mm256_add_pd(r, r), f);
	r = _mm256_sub_pd(_mm256_add_pd(r, r), g);
	return _mm256_sub_pd(_mm256_add_pd(r, r), h);
}

__attribute__((target("avx"))) static void call_avx(void)
{
	__m256d (*call)(__m256d, __m256d, __m256d, __m256d, __m256d, __m256d,
			__m256d, __m256d) = (void *)cof_method_stub(method);
	__m256d v[8];
	double got[4], want[4];

	for (int i = 0; i < 8; i++)
		v[i] = _mm256_setr_pd(i + 1, i + 10, i + 100, i + 1000);
	_mm256_storeu_pd(got, call(v[0], v[1], v[2], v[3], v[4], v[5], v[6],
				   v[7]));
	_mm256_storeu_pd(want, sum_avx(v[0], v[1], v[2], v[3], v[4], v[5],
				       v[6], v[7]));
	assert_memory_equal(got, want, sizeof(got));
}

static void avx_arguments_survive(void **state)
{
	(void)state;
	if (!__builtin_cpu_supports("avx"))
		skip();
	target = sum_avx;
	in_first_call = clobber_avx;
	call_avx();
	assert_int_equal(asked, 1);
}

__attribute__((target("avx512f"))) static void clobber_avx512(void)
{
	clobber();
	__asm__ volatile("vzeroall; kxnorw %%k1, %%k1, %%k1"
			 : : : "k1", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
			   "xmm5", "xmm6", "xmm7");
}

__attribute__((target("avx512f")))
static __m512i sum_avx512(__m512i a, __m512i b, __m512i c, __m512i d, __m512i e,
			  __m512i f, __m512i g, __m512i h)
{
	const __m512i v[7] = { b, c, d, e, f, g, h };

	for (int i = 0; i < 7; i++)
		a = _mm512_add_epi64(_mm512_slli_epi64(a, 1), v[i]);
	return a;
}

__attribute__((target("avx512f"))) static void call_avx512(void)
{
	__m512i (*call)(__m512i, __m512i, __m512i, __m512i, __m512i, __m512i,
			__m512i, __m512i) = (void *)cof_method_stub(method);
	__m512i v[8];
	long got[8], want[8];

	for (int i = 0; i < 8; i++)
		v[i] = _mm512_setr_epi64(i, i * 3, i * 5, i * 7, i * 11, i * 13,
					 i * 17, i * 19);
	_mm512_storeu_si512(got, call(v[0], v[1], v[2], v[3], v[4], v[5], v[6],
				      v[7]));
	_mm512_storeu_si512(want, sum_avx512(v[0], v[1], v[2], v[3], v[4],
					     v[5], v[6], v[7]));
	assert_memory_equal(got, want, sizeof(got));
}

static void avx512_arguments_survive(void **state)
{
	(void)state;
	if (!__builtin_cpu_supports("avx512f"))
		skip();
	target = sum_avx512;
	in_first_call = clobber_avx512;
	call_avx512();
	assert_int_equal(asked, 1);
}

/* Take the path for processors without XSAVE. */
static void without_xsave_the_sse_registers_survive(void **state)
{
	uint32_t mask, bytes;

	(void)state;
	piece_method(cof, NULL);	/* makes glue: mask and bytes are set */
	mask = cof_stub_vector_mask;
	bytes = cof_stub_vector_bytes;
	cof_stub_vector_mask = 0;
	cof_stub_vector_bytes = 512;
	registers_stack_and_a_returned_struct_survive(state);
	cof_stub_vector_mask = mask;
	cof_stub_vector_bytes = bytes;
}

static unsigned in_host, in_callee;

static void note_modes(void)
{
	in_host = _mm_getcsr() & ~(unsigned)_MM_EXCEPT_MASK;
	feraiseexcept(FE_INEXACT);
	clobber();
}

static long double note_callee(void)
{
	in_callee = _mm_getcsr();
	return (long double)fegetround();
}

static void host_and_guest_have_their_own_float_modes(void **state)
{
	long double (*call)(void) = (void *)cof_method_stub(method);
	unsigned guest;

	(void)state;
	target = note_callee;
	in_first_call = note_modes;
	fesetround(FE_UPWARD);
	_mm_setcsr((_mm_getcsr() | _MM_FLUSH_ZERO_ON) &
		   ~(unsigned)_MM_EXCEPT_MASK);
	feclearexcept(FE_ALL_EXCEPT);
	guest = _mm_getcsr();
	assert_true(call() == FE_UPWARD);
	fesetenv(FE_DFL_ENV);
	assert_int_equal(in_host, 0x1f80);
	assert_int_equal(in_callee, guest);
	assert_int_equal(asked, 1);
}

static int one(void)
{
	return 1;
}

static uintptr_t ip_lo, ip_hi;
static bool      caller_seen;

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *arg)
{
	uintptr_t ip = _Unwind_GetIP(context);

	(void)arg;
	if (ip >= ip_lo && ip < ip_hi)
		caller_seen = true;
	return _URC_NO_REASON;
}

static void walk(void)
{
	caller_seen = false;
	_Unwind_Backtrace(look, NULL);
}

/* An unwinder must find this frame through the trampoline and the host. */
__attribute__((noinline)) static int call_from_here(void)
{
	int got = piece_run(cof_method_stub(method));

	__asm__ volatile("" : "+r"(got));
	return got + 1;
}

static void an_unwinder_gets_from_the_host_to_the_caller(void **state)
{
	(void)state;
	target = one;
	in_first_call = walk;
	ip_lo = (uintptr_t)call_from_here;
	ip_hi = ip_lo + 256;
	assert_int_equal(call_from_here(), 2);
	assert_true(caller_seen);
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, first_call_setup,		\
					first_call_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(r11_survives),
		T(varargs_survive),
		T(registers_stack_and_a_returned_struct_survive),
		T(the_static_chain_survives),
		T(avx_arguments_survive),
		T(avx512_arguments_survive),
		T(without_xsave_the_sse_registers_survive),
		T(host_and_guest_have_their_own_float_modes),
		T(an_unwinder_gets_from_the_host_to_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
