/*
 * inlineasm.c - asm statements: operands, clobbers, labels, local symbols
 *
 * guest-hot:
 */
#include "guest.h"

NOINLINE static uint64_t rotate(uint64_t x, unsigned char n)
{
	__asm__("rolq %%cl, %0" : "+r"(x) : "c"(n) : "cc");
	return x;
}

NOINLINE static uint64_t wide(uint64_t a, uint64_t b, uint64_t *high)
{
	uint64_t low;

	__asm__("mulq %3" : "=a"(low), "=d"(*high) : "a"(a), "r"(b) : "cc");
	return low;
}

/* A numbered local label and %= both stay unique when the body is copied. */
NOINLINE static unsigned count(uint64_t x)
{
	unsigned n = 0;

	__asm__ volatile("1:	testq %1, %1\n"
			 "	jz .Lout%=\n"
			 "	leaq -1(%1), %%r11\n"
			 "	andq %%r11, %1\n"
			 "	incl %0\n"
			 "	jmp 1b\n"
			 ".Lout%=:"
			 : "+r"(n), "+r"(x) : : "r11", "cc");
	return n;
}

NOINLINE static int sign(long x)
{
	__asm__ goto("testq %0, %0\n\tjs %l[minus]\n\tjz %l[zero]"
		     : : "r"(x) : "cc" : minus, zero);
	return 1;
minus:	return -1;
zero:	return 0;
}

NOINLINE static void copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : :
			 "memory");
}

static uint64_t shared = 3;

NOINLINE static uint64_t memory_operand(uint64_t add)
{
	__asm__("addq %1, %0" : "+m"(shared) : "r"(add) : "cc");
	return shared;
}

NOINLINE static uint64_t pinned(uint64_t x)
{
	register uint64_t r12 __asm__("r12") = x;

	__asm__ volatile("addq $5, %0" : "+r"(r12) : : "cc");
	return r12;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0, high;
	char a[40] = "the quick brown fox jumps over the dog", b[40];

	shared = 3;
	for (unsigned i = 0; i < 2000; i++) {
		h = rotate(h + i, (unsigned char)i);
		h ^= wide(h, 0x9e3779b97f4a7c15u, &high) + high;
		h += count(h);
		h += (uint64_t)sign((long)h);
		copy(b, a, sizeof(b));
		h = mix(h, (uint64_t)b[i % 40]);
		h += memory_operand(i) + pinned(i);
	}
	return h + (sign(0) == 0);
}

int main(void)
{
	guest_run("inlineasm", round_);
	return 0;
}
