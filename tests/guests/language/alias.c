/*
 * alias.c - two names for one function and for one variable
 *
 * guest-hot:
 */
#include "guest.h"

NOINLINE uint64_t original(uint64_t x) { return mix(x, 9); }

extern __typeof__(original) second_name __attribute__((alias("original")));
extern __typeof__(original) weak_name
	__attribute__((weak, alias("original")));
static __typeof__(original) static_name
	__attribute__((alias("original"), used));

int value = 5;
extern int value_alias __attribute__((alias("value")));
static int array[4] = { 1, 2, 3, 4 };
extern int array_alias[4] __attribute__((alias("array")));

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	value = 5;
	for (int i = 0; i < 3000; i++) {
		h = original(h) + second_name(h) + weak_name(h) +
		    static_name(h);
		value_alias++;
		h += (uint64_t)value;
		array_alias[i % 4] ^= i;
		h += (uint64_t)array[i % 4];
		array[i % 4] ^= i;
	}
	return h;
}

int main(void)
{
	/* volatile, for compilers take two names for two addresses */
	__typeof__(original) *volatile first = original;
	int *volatile address = &value;

	guest_run("alias", round_);
	printf("%s, %s, %s\n", first == second_name ? "same" : "different",
	       first == weak_name ? "same" : "different",
	       address == &value_alias ? "same" : "different");
	return 0;
}
