/*
 * fnptr.c - a function has one address, however it is reached
 *
 * guest-hot:
 * guest-reclaims:
 */
#include <search.h>
#include <string.h>

#include "guest.h"

typedef uint64_t fn(uint64_t);

NOINLINE static uint64_t twice(uint64_t x) { return x * 2 + 1; }
NOINLINE static uint64_t square(uint64_t x) { return x * x ^ 5; }
NOINLINE uint64_t outer(uint64_t x) { return x ^ x >> 17; }

static fn *const constant[] = { twice, square, outer };
static fn *changing[] = { outer, twice, square };
static struct { const char *name; fn *f; } named[] = {
	{ "twice", twice }, { "square", square }, { "outer", outer },
};
static const uintptr_t *as_numbers = (const uintptr_t *)named;

NOINLINE static fn *pick(unsigned i)
{
	return i % 3 == 0 ? twice : i % 3 == 1 ? square : outer;
}

static int calls;

NOINLINE static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	calls++;
	return x < y ? -1 : x > y;
}

NOINLINE static int by_value_r(const void *a, const void *b, void *key)
{
	uint32_t x = *(const uint32_t *)a ^ *(uint32_t *)key;
	uint32_t y = *(const uint32_t *)b ^ *(uint32_t *)key;

	return x < y ? -1 : x > y;
}

static uint64_t seen;

NOINLINE static void visit(const void *node, VISIT which, int depth)
{
	if (which == postorder || which == leaf)
		seen = mix(seen, **(const uint32_t *const *)node);
	(void)depth;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	uint32_t v[500], key = 0x5a5a5a5a, *hit;
	void *tree = NULL;

	for (unsigned i = 0; i < 3000; i++) {
		fn *f = pick(i), *g = constant[i % 3], *k = named[i % 3].f;

		if (f != g || g != k || (uintptr_t)k !=
		    as_numbers[2 * (i % 3) + 1] || changing[(i + 1) % 3] != f)
			return 1;
		h = mix(h, f(i) + g(i + 1) + k(i + 2));
		h += changing[i % 3](h);
	}
	for (unsigned i = 0; i < 500; i++)
		v[i] = (uint32_t)(i * 2654435761u);
	qsort(v, 500, sizeof(*v), by_value);
	for (unsigned i = 0; i < 500; i++) {
		uint32_t want = (uint32_t)(i * 2654435761u);

		hit = bsearch(&want, v, 500, sizeof(*v), by_value);
		h = mix(h, hit ? (uint64_t)(hit - v) : 9999);
	}
	qsort_r(v, 500, sizeof(*v), by_value_r, &key);
	h = mix(h, v[0] + v[499]);
	for (unsigned i = 0; i < 200; i++)
		tsearch(&v[i], &tree, by_value);
	seen = MIX0;
	twalk(tree, visit);
	for (unsigned i = 0; i < 200; i++)
		tdelete(&v[i], &tree, by_value);
	return mix(h, seen);
}

int main(void)
{
	/* Addresses kept from before anything was replaced stay equal. */
	static fn *early[3];

	for (unsigned i = 0; i < 3; i++)
		early[i] = pick(i);
	guest_run("fnptr", round_);
	for (unsigned i = 0; i < 3; i++)
		printf("%s %s\n", named[i].name,
		       early[i] == pick(i) && early[i] == named[i].f ?
		       "same" : "different");
	printf("sort calls %s\n", calls > 0 ? "counted" : "none");
	return 0;
}
