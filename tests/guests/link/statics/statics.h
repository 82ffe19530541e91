/* statics.h - what the two files of the guest share */
#include "guest.h"

extern _Thread_local uint64_t shared_tls;

static inline uint64_t small_inline(uint64_t x)
{
	static uint64_t seen = 1;

	seen |= x;
	return x * 3 + (seen & 1);
}

inline uint64_t gnu_inline_one(uint64_t x) { return x + 1; }

void b_reset(void);
uint64_t b_step(uint64_t x);
uint64_t b_tls(void);
const char *b_text(void);
uint64_t (*b_inline(void))(uint64_t);
uint64_t (*main_inline(void))(uint64_t);
