/*
 * deep.c - recursion that fits on the stack when its code is optimized: buffers
 * that do not live at the same time share their place in the frame, but in code
 * that is compiled in a hurry, where each has its own
 */
#include <stdio.h>

#define DEPTH 4000

static volatile unsigned seed = 1;

/* Not inlined, so that the buffer has to exist. */
__attribute__((noinline)) static unsigned fill(char *to, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 256; i++) {
		to[i] = (char)(n * (i + seed));
		sum += (unsigned char)to[i];
	}
	return sum;
}

static inline __attribute__((always_inline)) unsigned one(unsigned n)
{
	char buffer[256];

	return fill(buffer, n) + (unsigned char)buffer[n % 256];
}

__attribute__((noinline)) static unsigned descend(unsigned depth)
{
	unsigned sum = 0;

	if (depth == 0)
		return 1;
	sum += one(depth) ^ one(depth + 1) ^ one(depth + 2) ^ one(depth + 3);
	sum += one(depth + 4) ^ one(depth + 5) ^ one(depth + 6);
	sum += one(depth + 7) ^ one(depth + 8) ^ one(depth + 9);
	sum += one(depth + 10) ^ one(depth + 11) ^ one(depth + 12);
	sum += one(depth + 13) ^ one(depth + 14) ^ one(depth + 15);
	return sum + descend(depth - 1) * 3;
}

int main(void)
{
	printf("%u\n", descend(DEPTH));
	return 0;
}
