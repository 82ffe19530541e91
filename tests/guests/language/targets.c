/*
 * targets.c - a call through a pointer that has two targets
 *
 * guest-inlined: mix_all: half twice
 */
#include "guest.h"

static unsigned half(unsigned x)
{
	for (int bit = 1; bit < 16; bit += 7)
		x ^= x >> bit;
	return x / 2;
}

static unsigned twice(unsigned x)
{
	for (int bit = 1; bit < 16; bit += 5)
		x ^= x << bit;
	return x * 2 + 1;
}

/* The compiler cannot know what is called. */
static unsigned (*volatile const table[2])(unsigned) = { half, twice };

NOINLINE static uint64_t mix_all(unsigned n)
{
	uint64_t h = MIX0;

	for (unsigned i = 0; i < n; i++)
		h = h * 31 + table[i & 1](i & 0xff);
	return h;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (unsigned i = 0; i < 1000; i++)
		h = mix(h, mix_all(100 + i % 7));
	return h;
}

int main(void)
{
	guest_run("targets", round_);
	return 0;
}
