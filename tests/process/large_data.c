/*
 * large_data.c - so much data that not all of it is in reach of code memory
 *
 * options: --cof-code_mb=1900 --cof-data_mb=64
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#define STEPS 100000u

/* The small ones, which code may address directly, are on both sides of the
 * large one: compilers keep the order of what is not static. */
unsigned long calls;
char room[400 << 20];
unsigned long sums[64];

__attribute__((noinline)) static void seldom(unsigned long h)
{
	for (unsigned long i = 0; i < h % 4; i++)
		sums[i] ^= h / 3;
}

__attribute__((noinline)) static unsigned long step(unsigned long h)
{
	calls++;
	room[h % sizeof(room) & ~0xfffffUL]++;
	if (h % 5 == 0)
		seldom(h);
	else
		sums[h % 64] += h;
	return h * 1099511628211UL + sums[(h >> 7) % 64];
}

/* The same in each round. */
static unsigned long round_(void)
{
	unsigned long h = 1;

	calls = 0;
	memset(sums, 0, sizeof(sums));
	for (unsigned i = 0; i < STEPS; i++)
		h = step(h);
	return h ^ calls;
}

int main(void)
{
	clock_t end = clock() + 2 * CLOCKS_PER_SEC;
	unsigned long first = round_(), wrong = 0;

	while (clock() < end)
		wrong += round_() != first;
	printf("%lx, %lu rounds are wrong\n", first, wrong);
	return 0;
}
