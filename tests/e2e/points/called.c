/*
 * called.c - main() calls one function, until that runs in other code than the
 * executable's; nobody calls the other ones
 *
 * The number of rounds ends a run in which that never happens.
 */
#include <stdint.h>
#include <stdio.h>

extern const char __executable_start[], etext[];	/* the linker's */

__attribute__((noinline)) static int is_in_executable(void)
{
	uintptr_t from = (uintptr_t)__builtin_return_address(0);

	return from > (uintptr_t)__executable_start && from < (uintptr_t)etext;
}

static unsigned sum;

__attribute__((noinline)) static int is_called(unsigned x)
{
	for (unsigned i = 0; i < 300; i++)
		sum = (sum ^ (x >> (i & 7))) * 16777619u + i;
	return is_in_executable() + (sum == 1);
}

#define NOBODY(n)							\
	__attribute__((noinline, used)) unsigned nobody_##n(unsigned x)	\
	{								\
		for (unsigned i = 0; i < x; i++)			\
			x = x * 31 + sum + n;				\
		return x;						\
	}
NOBODY(1) NOBODY(2) NOBODY(3) NOBODY(4)

int main(void)
{
	unsigned long rounds = 0;

	while (is_called((unsigned)rounds))
		if (++rounds == 1000000000) {
			puts("it stayed");
			return 1;
		}
	puts("it left");
	return 0;
}
