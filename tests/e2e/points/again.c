/*
 * again.c - a loop in main() that is entered once, for so many ms of CPU time
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned add(unsigned x) { return x * 31 + 7; }
static unsigned mix(unsigned x) { return x ^ x >> 3; }

/* The compiler cannot know what is called. */
static unsigned (*volatile step[2])(unsigned) = { add, mix };

int main(int argc, char **argv)
{
	clock_t most = argc > 1 ? atol(argv[1]) * (CLOCKS_PER_SEC / 1000) : 0;
	unsigned x = 1;

	while (clock() < most)
		for (int i = 0; i < 100000; i++)
			x = step[i >> 2 & 1](x + (unsigned)i);
	puts(x == 1 ? "one" : "done");
	return 0;
}
