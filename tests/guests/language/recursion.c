/*
 * recursion.c - a recursion that fits the stack natively fits it in every
 * version: a level takes no more, however hot it is and whatever it calls
 *
 * guest-hot:
 */
#include "guest.h"

#define NODES 100000

struct node {
	struct node *next, *other;
	unsigned     v;
};

static struct node node[NODES];

/* Needs all registers. */
NOINLINE static unsigned weigh(const struct node *n, unsigned a)
{
	unsigned s = n->v + a, b = a * 3, c = a ^ 5, d = n->v * 7, e = s + 1,
		 f = c + 2;

	for (int i = 0; i < 4; i++) {
		s = s * 31 + b;
		b = b * c + d;
		c ^= e + f;
		d += s;
		e = e * 5 + b;
		f ^= d;
	}
	return s ^ b ^ c ^ d ^ e ^ f;
}

static char *deepest;

#define WALK(name)							\
	NOINLINE static unsigned name(const struct node *n)		\
	{								\
		unsigned here, below;					\
									\
		if (n == NULL) {					\
			deepest = __builtin_frame_address(0);		\
			return 1;					\
		}							\
		here = weigh(n, n->v);					\
		below = name(n->next);					\
		return below * 17 + here +				\
		       (n->other != NULL ? name(n->other) : 0);		\
	}

WALK(walk)
WALK(walk_once)		/* as it was compiled: never hot */

static uint64_t round_(void)
{
	static size_t first;
	char *top = __builtin_frame_address(0);
	uint64_t sum;
	size_t now;

	if (first == 0) {
		walk_once(node);
		first = (size_t)(top - deepest);
	}
	sum = walk(node);
	now = (size_t)(top - deepest);
	return mix(sum, now <= first + first / 4);
}

int main(void)
{
	for (int i = 0; i < NODES; i++) {
		node[i].v = (unsigned)i;
		node[i].next = i + 1 < NODES ? &node[i + 1] : NULL;
	}
	guest_run("recursion", round_);
	return 0;
}
