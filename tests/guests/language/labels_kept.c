/*
 * labels_kept.c - labels that outlive the call they were taken in
 *
 * The function is hot and calls others, so a newer version of it would have a
 * frame of another shape than the version the label belongs to.
 */
#include "guest.h"

struct coroutine {
	void    *where;
	uint64_t state;
};

NOINLINE static uint64_t join(uint64_t a, uint64_t b)
{
	return a * 31 + b;
}

NOINLINE static uint64_t step(struct coroutine *c, uint64_t a, uint64_t b,
			      uint64_t d)
{
	volatile char buf[64];
	uint64_t x = a ^ b, y = b * d, z = a + d, w = a * b;

	for (unsigned i = 0; i < sizeof(buf); i++)
		buf[i] = (char)b;
	if (c->where)
		goto *c->where;
	c->state = join(x, y) + join(z, w) + (uint64_t)buf[0];
	c->where = &&one;
	return x + y + z + w + c->state;
one:	c->state += join(x, y) * join(z, w) + (uint64_t)buf[1];
	c->where = &&two;
	return x * y + z * w + c->state;
two:	c->state ^= join(z, y) - join(x, w) + (uint64_t)buf[2];
	c->where = &&three;
	return x ^ y ^ z ^ w ^ c->state;
three:	c->state += join(w, w);
	c->where = c->state & 1 ? &&one : &&two;
	return x + z + y + c->state;
}

static uint64_t round_(void)
{
	static struct coroutine kept;
	struct coroutine fresh = { 0 };
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 20000; i++) {
		step(&kept, i, 2, i);	/* goes on from round to round */
		h = join(h, step(&fresh, i, h, i * 7));
	}
	return h;
}

int main(void)
{
	guest_run("labels_kept", round_);
	return 0;
}
