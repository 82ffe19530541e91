/*
 * ifunc.c - functions whose body a resolver picks at load time
 *
 * guest-hot:
 */
#include "guest.h"

NOINLINE static uint64_t scan_slow(uint64_t x) { return x + 1; }

NOINLINE static uint64_t scan_fast(uint64_t x)
{
	for (int i = 0; i < 50; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static int resolved;

__attribute__((used)) static void *resolve(void)
{
	resolved++;
	return sizeof(void *) == 8 ? (void *)scan_fast : (void *)scan_slow;
}

uint64_t scan(uint64_t x) __attribute__((ifunc("resolve")));

static uint64_t (*pointer)(uint64_t) = scan;

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 500; i++)
		h = mix(h, scan(i) + pointer(i + 1));
	return h;
}

int main(void)
{
	guest_run("ifunc", round_);
	printf("pointer %s, resolver %s\n", pointer == scan ? "same" :
	       "different", resolved ? "ran" : "did not run");
	return 0;
}
