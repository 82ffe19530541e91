/* other.c - strong definitions, and a call back of a weak one */
#include "weak.h"

int weak_value = 10;
int common[8] __attribute__((weak)) = { 0, 1, 2, 33 };

NOINLINE uint64_t replaced(uint64_t x) { return mix(x, 2); }
NOINLINE uint64_t other(uint64_t x) { return stays(x) + replaced(x + 1); }

uint64_t (*address_of_stays(void))(uint64_t)
{
	return stays;
}
