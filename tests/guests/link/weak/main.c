/*
 * weak - weak definitions that lose, that stay, and that exist nowhere
 *
 * guest-hot:
 */
#include "weak.h"

NOINLINE __attribute__((weak)) uint64_t replaced(uint64_t x) { return x; }
NOINLINE __attribute__((weak)) uint64_t stays(uint64_t x) { return mix(x, 1); }
__attribute__((weak)) int weak_value = 1;
__attribute__((weak)) int only_weak = 2;

extern uint64_t nowhere(uint64_t) __attribute__((weak));
extern int no_data __attribute__((weak));

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 3000; i++) {
		h = mix(h, replaced(i) + stays(i) + other(i));
		if (nowhere)
			h = nowhere(h);
	}
	return h;
}

extern int common[8];

int main(void)
{
	guest_run("weak", round_);
	printf("%d %d %s %s\n", weak_value, only_weak,
	       nowhere ? "found" : "nowhere", &no_data ? "data" : "no data");
	printf("same address: %d, common %d\n", address_of_stays() == stays,
	       common[3]);
	return 0;
}
