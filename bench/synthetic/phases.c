/*
 * phases.c - a program whose phases are known, for bench/phases
 *
 *	phases SIDE CASE [SCALE]
 *
 * It runs the stretches of CASE, each for its seconds times SCALE, and writes
 * the begin of each to the file SIDE, by CLOCK_MONOTONIC:
 *
 *	NANOSECONDS phase|transition NAME
 *
 * The last line is `NANOSECONDS end -`. A phase calls the kernels below at
 * random, with fixed chances; a call takes a few 100 us. In a transition the
 * chances change at random several times a generation.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KERNELS 12
#define TABLE   1024u

static uint32_t table[TABLE];
static uint32_t state = 1;

static uint32_t draw(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* -- Kernels: alike in length, different in what they do ----------------- */

#define KERNEL(name, rounds, step)					\
static __attribute__((noinline)) uint32_t name(uint32_t x)		\
{									\
	for (uint32_t r = 0; r < (rounds); r++)				\
		for (uint32_t i = 0; i < TABLE; i++) {			\
			uint32_t v = table[(i + x) % TABLE];		\
									\
			step;						\
		}							\
	return x;							\
}

KERNEL(add_up,   96, x += v ^ i)
KERNEL(rotate,   48, x = (x << 5 | x >> 27) ^ v)
KERNEL(multiply, 32, x = x * 2654435761u + v)
KERNEL(divide,   10, x = (x + v) / ((i & 15) + 3) + i)
KERNEL(choose,   24, if (v & 64) x += v; else x ^= v >> 3)
KERNEL(chase,    10, x = table[(x ^ v) % TABLE] + i)
KERNEL(store,    40, table[i] = v + (x & 1); x += i)
KERNEL(bits,     20, x += (uint32_t)__builtin_popcount(v ^ x))
KERNEL(crc,      16, x ^= v; x = x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1)
KERNEL(mix,      24, x ^= x << 13; x ^= x >> 17; x += v)
KERNEL(compare,  32, x += v > x ? 1 : v)
KERNEL(square,   24, x = (uint32_t)((uint64_t)x * x >> 16) + v)

static uint32_t (*const kernel[KERNELS])(uint32_t) = {
	add_up, rotate, multiply, divide, choose, chase,
	store, bits, crc, mix, compare, square,
};

/* The same function in two phases, with its branch the other way. */
static __attribute__((noinline)) uint32_t inside(uint32_t x, uint32_t often)
{
	for (uint32_t r = 0; r < 24; r++)
		for (uint32_t i = 0; i < TABLE; i++) {
			if ((table[i] >> 16) % 100 < often)
				x = x * 69069u + table[(x >> 20) % TABLE];
			else
				x = (x / ((i & 7) + 3)) ^ table[i];
		}
	return x;
}

/* -- Cases --------------------------------------------------------------- */

struct stretch {
	const char *name;		/* NULL: transition */
	double      seconds;
	uint8_t     chance[KERNELS];	/* all 0: inside() */
	uint32_t    often;		/* what inside() is given */
};

#define A { 50, 30, 20 }
#define B { 0, 0, 0, 40, 40, 20 }
#define C { 0, 0, 0, 0, 0, 0, 60, 40 }
#define D { 0, 0, 0, 0, 0, 0, 0, 0, 25, 25, 25, 25 }

/* Hot sets with nothing in common; two of them return. */
static const struct stretch disjoint[] = {
	{ "A", 5, A, 0 }, { "B", 4, B, 0 }, { "C", 6, C, 0 },
	{ "A", 4, A, 0 }, { "D", 5, D, 0 }, { "B", 4, B, 0 },
	{ "C", 4, C, 0 }, { "A", 5, A, 0 }, { NULL, 0, { 0 }, 0 },
};

/* The same methods are hot, in other shares. */
static const struct stretch shares[] = {
	{ "A", 5, { 80, 10, 10 }, 0 }, { "B", 5, { 10, 10, 80 }, 0 },
	{ "C", 5, { 10, 80, 10 }, 0 }, { "A", 5, { 80, 10, 10 }, 0 },
	{ "B", 5, { 10, 10, 80 }, 0 }, { "C", 5, { 10, 80, 10 }, 0 },
	{ NULL, 0, { 0 }, 0 },
};

/* There is no order between two phases. */
static const struct stretch wander[] = {
	{ "A", 5, A, 0 }, { NULL, 2, { 0 }, 0 },
	{ "B", 5, B, 0 }, { NULL, 2, { 0 }, 0 },
	{ "C", 5, C, 0 }, { NULL, 2, { 0 }, 0 },
	{ "A", 5, A, 0 }, { NULL, 2, { 0 }, 0 },
	{ "D", 5, D, 0 }, { NULL, 0, { 0 }, 0 },
};

/* One phase: every detected change is false. */
static const struct stretch steady[] = {
	{ "A", 60, { 30, 20, 10, 10, 10, 5, 5, 4, 3, 1, 1, 1 }, 0 },
	{ NULL, 0, { 0 }, 0 },
};

/* A detector that counts whole methods cannot see the phases. */
static const struct stretch within[] = {
	{ "A", 5, { 0 }, 95 }, { "B", 5, { 0 }, 5 }, { "A", 5, { 0 }, 95 },
	{ "B", 5, { 0 }, 5 }, { NULL, 0, { 0 }, 0 },
};

static const struct {
	const char           *name;
	const struct stretch *stretches;
} cases[] = {
	{ "disjoint", disjoint }, { "shares", shares }, { "wander", wander },
	{ "steady", steady }, { "within", within },
};

static uint32_t one_call(const uint8_t *chance, uint32_t x)
{
	uint32_t sum = 0, at;

	for (uint32_t k = 0; k < KERNELS; k++)
		sum += chance[k];
	at = draw(sum);
	for (uint32_t k = 0; k < KERNELS; k++) {
		if (at < chance[k])
			return kernel[k](x);
		at -= chance[k];
	}
	return x;
}

static uint32_t run_phase(const struct stretch *s, uint64_t end, uint32_t x)
{
	static const uint8_t none[KERNELS];
	int is_inside = memcmp(s->chance, none, sizeof(none)) == 0;

	while (now() < end)
		x = is_inside ? inside(x, s->often) : one_call(s->chance, x);
	return x;
}

static uint32_t run_transition(uint64_t end, uint32_t x)
{
	uint64_t until = 0;
	uint8_t chance[KERNELS];

	for (uint64_t t = now(); t < end; t = now()) {
		if (t >= until) {
			memset(chance, 0, sizeof(chance));
			for (int i = 0; i < 2; i++)
				chance[draw(KERNELS)] += 1;
			until = t + 40000000u + draw(100) * 1000000u;
		}
		x = one_call(chance, x);
	}
	return x;
}

int main(int argc, char **argv)
{
	const struct stretch *s = NULL;
	double scale = argc > 3 ? strtod(argv[3], NULL) : 1;
	uint32_t x = 1;
	FILE *side;

	for (size_t i = 0; argc > 2 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[2], cases[i].name) == 0)
			s = cases[i].stretches;
	if (s == NULL || !(scale > 0)) {
		fputs("usage: phases SIDE disjoint|shares|wander|steady|within "
		      "[SCALE]\n", stderr);
		return 2;
	}
	side = fopen(argv[1], "w");
	if (side == NULL) {
		perror(argv[1]);
		return 1;
	}
	for (uint32_t i = 0; i < TABLE; i++)
		table[i] = draw(1u << 24) << 8 | draw(256);

	for (; s->seconds > 0; s++) {
		uint64_t begin = now();
		uint64_t end = begin + (uint64_t)(s->seconds * scale * 1e9);

		fprintf(side, "%" PRIu64 " %s %s\n", begin,
			s->name ? "phase" : "transition",
			s->name ? s->name : "-");
		x = s->name ? run_phase(s, end, x) : run_transition(end, x);
	}
	fprintf(side, "%" PRIu64 " end -\n", now());
	if (fclose(side) != 0) {
		perror(argv[1]);
		return 1;
	}
	printf("%" PRIu32 "\n", x & 1);
	return 0;
}
