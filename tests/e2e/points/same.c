/*
 * same.c - functions that are called by pointers, for so many ms of CPU time
 *
 * Of a leaf nothing but the same code can be built. Of the other one there is
 * more to be had.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned seed = 7;

static unsigned leaf(unsigned x)
{
	return x * 747796405u + 2891336453u;
}

static unsigned other(unsigned x)
{
	for (unsigned i = 0; i < 60; i++)
		x = seed == 7 ? x * 31 + i : x / (seed + i);
	return x;
}

static unsigned (*volatile pointer[2])(unsigned) = { leaf, other };

int main(int argc, char **argv)
{
	clock_t ms = argc > 1 ? atol(argv[1]) : 100;
	unsigned x = 1;

	while (clock() * 1000 / CLOCKS_PER_SEC < ms)
		for (int i = 0; i < 100000; i++)
			x = pointer[(x >> 7 & 7) == 0](x);
	puts("done");
	return 0;
}
