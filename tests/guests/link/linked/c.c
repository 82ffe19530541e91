/* c.c - the C file; exceptions pass through it */
#include "linked.h"

NOINLINE uint64_t c_side(uint64_t x, uint64_t (*f)(uint64_t))
{
	return f(x) + (f == from_c) + from_c(x + 1);
}

NOINLINE void c_calls(void *arg, void (*f)(void *))
{
	volatile int keep = 1;

	f(arg);
	keep = 2;
}
