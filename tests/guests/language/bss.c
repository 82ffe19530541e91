/*
 * bss.c - 300 MB of zeroed data, touched here and there; large constants
 *
 * guest-hot:
 */
#include <string.h>
#include <sys/resource.h>

#include "guest.h"

static unsigned char huge[300u << 20];
static uint32_t table[1 << 20] = { 1, 2, 3, [1 << 19] = 77 };
static const double numbers[4096] = { 0.5, 1.5, [4095] = 9.25 };
static struct { int a; unsigned char pad[1 << 20]; int *self; } odd = {
	.a = 5, .self = &odd.a,
};

NOINLINE static uint64_t touch(size_t step, unsigned char v)
{
	uint64_t h = MIX0;

	for (size_t i = 0; i < sizeof(huge); i += step) {
		h = mix(h, huge[i]);
		huge[i] = v;
	}
	return h;
}

static uint64_t round_(void)
{
	uint64_t h = touch(997 * 4096, 0);

	for (unsigned i = 0; i < 1000; i++) {
		h = mix(h, table[i * 1009 % (1 << 20)]);
		h = mix(h, bits(numbers[i * 4095 % 4096]));
	}
	return h + (uint64_t)*odd.self + huge[sizeof(huge) - 1];
}

int main(void)
{
	struct rusage use;

	guest_run("bss", round_);
	getrusage(RUSAGE_SELF, &use);
	puts(use.ru_maxrss < 400 << 10 ? "memory is sparse" :
	     "memory is not sparse");
	return 0;
}
