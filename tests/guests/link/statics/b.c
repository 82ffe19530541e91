/* b.c - the same static names again, with other meanings */
#include "statics.h"

static double state = 0.5;
_Thread_local uint64_t shared_tls = 40;
static const char *const text = "text of b";

extern inline uint64_t gnu_inline_one(uint64_t x);

NOINLINE static uint64_t step(uint64_t x)
{
	static int calls;

	calls++;
	state = state * 0.5 + (double)(x % 10);
	return bits(state) + (uint64_t)(calls * 0);
}

void b_reset(void) { state = 0.5; }
uint64_t b_step(uint64_t x) { return step(x) + small_inline(x); }
uint64_t b_tls(void) { return shared_tls++; }
const char *b_text(void) { return text; }

uint64_t (*b_inline(void))(uint64_t)
{
	return gnu_inline_one;
}
