/*
 * kept.c - what is hot has everything that an object file can refer to
 *
 * With GUEST_MAPS set it says at the end whether LLVM was loaded: where all
 * that is hot was kept from an earlier run, it need not be.
 *
 * guest-hot:
 */
#include <string.h>

#include "guest.h"

typedef uint64_t fn(uint64_t);

static uint64_t table[64];
static uint64_t count;
static _Thread_local uint64_t own = 1;
static const char *const word[] = { "zero", "one", "two", "three" };

NOINLINE static uint64_t odd(uint64_t x) { return x * 3 + count++; }
NOINLINE static uint64_t even(uint64_t x) { return x >> 1 ^ ++own; }
static fn *const by_bit[] = { even, odd };

static uint64_t letters(uint64_t x)
{
	const char *s = word[x & 3];
	uint64_t h = 0;

	for (size_t i = 0; i < strlen(s); i++)
		h = h * 31 + (unsigned char)s[i];
	return h;
}

NOINLINE static uint64_t pick(uint64_t x)
{
	switch (x % 7) {
	case 0: return x + 11;
	case 1: return x ^ 0x55;
	case 2: return letters(x);
	case 3: return x * x;
	case 4: return table[x & 63];
	case 5: return ~x;
	default: return x << 3;
	}
}

static double scale(double d, uint64_t x)
{
	return d * 0.75 + (double)(x & 1023) * 1.5;
}

NOINLINE static uint64_t work(void)
{
	uint64_t h = MIX0;
	double d = 1;

	memset(table, 0, sizeof(table));
	count = 0;
	own = 1;
	for (uint64_t i = 0; i < 20000; i++) {
		uint64_t x = i & 63 ? h ^ i : by_bit[i >> 6 & 1](h);

		table[i & 63] += pick(x);
		d = scale(d, x);
		h = mix(h, table[x & 63]);
	}
	return mix(h, bits(d));
}

static void say_maps(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[4096];
	int found = 0;

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		found |= strstr(line, "libcof-llvm") != NULL;
	if (f != NULL)
		fclose(f);
	printf("llvm: %s\n", found ? "loaded" : "no");
}

int main(void)
{
	guest_run("kept", work);
	if (getenv("GUEST_MAPS") != NULL)
		say_maps();
	return 0;
}
