/*
 * forever.c - main() stays in one loop, until that runs in other code than the
 * executable's; and the heap has room left
 *
 * The number of rounds ends a run in which that never happens.
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

extern const char __executable_start[], etext[];	/* the linker's */

/* Does the caller's code lie in the executable? */
__attribute__((noinline)) static int is_in_executable(unsigned *x)
{
	uintptr_t from = (uintptr_t)__builtin_return_address(0);

	*x = *x * 1103515245u + 12345u;
	return from > (uintptr_t)__executable_start && from < (uintptr_t)etext;
}

int main(void)
{
	unsigned x = 1, sum = 0, again = 0;
	unsigned long rounds = 0;

	while (is_in_executable(&x)) {
		for (int i = 0; i < 300; i++)
			sum = (sum ^ (x >> (i & 7))) * 16777619u + (unsigned)i;
		if (++rounds == 1000000000) {
			puts("it never left");
			return 1;
		}
	}
	/* What was alive in the loop is what it was. */
	x = 1;
	for (unsigned long k = 0; k < rounds; k++) {
		x = x * 1103515245u + 12345u;
		for (int i = 0; i < 300; i++)
			again = (again ^ (x >> (i & 7))) * 16777619u +
				(unsigned)i;
	}
	if (sbrk(64 << 20) == (void *)-1)
		puts("brk(2) has no room");
	puts(sum == again ? "it left" : "it left, and counted wrong");
	return 0;
}
