/*
 * loops.c - loops with calls, in functions that code is seldom added to
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static volatile int n = 1000;

__attribute__((noinline)) int odd(int i)
{
	return (int)((unsigned)i * 7 % 13);
}

int dollar$name(int k)
{
	int s = 0;

	for (int i = 0; i < k; i++)
		s += odd(i);
	return s;
}

int jumps_to_labels(const unsigned char *p)
{
	static const void *const to[] = { &&add, &&call, &&loop, &&end };
	int s = 0, i = n;

	goto *to[*p++];
add:
	s += 3;
	goto *to[*p++];
call:
	s += odd(s);
	goto *to[*p++];
loop:
	while (i-- > 0)
		s ^= odd(i);
	goto *to[*p++];
end:
	return s;
}

int has_asm_goto(int k)
{
	int s = 0;

	for (int i = 0; i < k; i++) {
		__asm__ goto("testl %0, %0; je %l1" : : "r"(i & 1) : "cc" :
			     even);
		s += odd(i);
		continue;
even:
		s -= odd(i) * 2;
	}
	return s;
}

__attribute__((noinline)) static int returns_twice(int k)
{
	volatile int s = 0;
	jmp_buf at;

	for (volatile int i = 0; i < k; i++) {
		if (setjmp(at) != 0) {
			s += 100;
			continue;
		}
		if (odd(i) > 5)
			longjmp(at, 1);
		s += 1;
	}
	return s;
}

int has_more_arguments(int k, ...)
{
	va_list ap;
	int s = 0;

	va_start(ap, k);
	for (int i = 0; i < k; i++)
		s += odd(va_arg(ap, int));
	va_end(ap);
	for (int i = 0; i < k * n; i++)
		s += odd(s & 15);
	return s;
}

int tail_calls(int k, int s)
{
	for (int i = 0; i < n / 300; i++)
		s += odd(i + k);
	if (k == 0)
		return s;
	__attribute__((musttail)) return tail_calls(k - 1, s);
}

int moves_stack(int k)
{
	int s = 0;

	for (int i = 1; i < k; i++) {
		int a[i];

		for (int j = 0; j < i; j++)
			a[j] = odd(j);
		s += a[i / 2];
	}
	return s;
}

__attribute__((weak)) int weak(int k)
{
	int s = 0;

	for (int i = 0; i < k; i++)
		s += odd(i);
	return s;
}

__attribute__((preserve_most)) void keeps_registers(int *s)
{
	for (int i = 0; i < n; i++)
		*s += odd(i);
}

long double wide(long double x)
{
	for (int i = 0; i < n; i++)
		x += odd((int)x & 15) / 3.0L;
	return x;
}

__attribute__((target("no-sse3"))) int unused(int k)
{
	int s = 0;

	for (int i = 0; i < k; i++)
		s += odd(i);
	return s;
}

int main(void)
{
	int s = 0;

	keeps_registers(&s);
	printf("%d %d %d %d %d %d %d %d %d %.6Lf\n", dollar$name(n),
	       jumps_to_labels((const unsigned char *)"\0\1\2\0\1\3"),
	       has_asm_goto(n), returns_twice(n),
	       has_more_arguments(4, 1, 2, 3, 4), tail_calls(50, 0),
	       moves_stack(40), weak(n), s, wide(1));
	return 0;
}
