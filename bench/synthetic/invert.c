/*
 * invert.c - two alternating phases in which what is hot inverts
 *
 *	invert CYCLES [SCENES]
 *
 * A scene has shapes of six kinds. Each has a pointer to the function that
 * measures it, as an object has virtual methods. In one phase a scene has three
 * of the kinds, in the other the other three, with the same chances. Tests of
 * an element that are nearly always true in one phase are nearly always false
 * in the other. So a profile of both phases has six targets of like weight, and
 * branches that go either way half of the time.
 *
 * A cycle is one phase and then the other, of SCENES scenes each; 60000 by
 * default, somewhat over a second at -O2. A phase prints LINES lines.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SHAPES  4096u
#define KINDS   6u
#define STRETCH 60000u
#define LINES   30u

struct shape {
	uint32_t (*measure)(const struct shape *s, uint32_t scale);
	uint32_t kind, a, b, c, flags;
};

static struct shape scene[2][SHAPES];
static uint32_t state = 7;

static uint32_t draw(uint32_t n)
{
	state = state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

/* -- Six kinds ----------------------------------------------------------- */

static uint32_t box(const struct shape *s, uint32_t scale)
{
	return s->a * s->b * scale + (s->a + s->b) * 2;
}

static uint32_t ring(const struct shape *s, uint32_t scale)
{
	uint32_t outer = s->a * s->a, inner = s->b * s->b;

	return (outer > inner ? outer - inner : inner - outer) * scale / 113 *
	       355;
}

static uint32_t wedge(const struct shape *s, uint32_t scale)
{
	return (s->a * s->b * (s->c & 15)) / 32 + (scale << 3);
}

static uint32_t prism(const struct shape *s, uint32_t scale)
{
	return (s->a * s->b + s->b * s->c + s->a * s->c) * 2 + scale;
}

static uint32_t cone(const struct shape *s, uint32_t scale)
{
	return s->a * s->a / 3 * s->b + (s->c ^ scale);
}

static uint32_t strip(const struct shape *s, uint32_t scale)
{
	return (s->a << 4) + (s->b >> 2) * scale - s->c;
}

static uint32_t (*const kinds[KINDS])(const struct shape *, uint32_t) = {
	box, ring, wedge, prism, cone, strip,
};

/* -- The work on a shape ------------------------------------------------- */

enum { LARGE = 1, HIDDEN = 2, MARKED = 4 };

static uint32_t checked, dropped;

static __attribute__((noinline)) uint32_t pass(const struct shape *shapes,
					       uint32_t scale)
{
	uint32_t sum = 0, run = scale;

	for (uint32_t i = 0; i < SHAPES; i++) {
		const struct shape *s = &shapes[i];
		uint32_t size = s->measure(s, scale);

		if (s->flags & LARGE) {
			sum += size >> 3;
			run = run * 5 + size;
		} else {
			sum ^= size * 3;
			run ^= sum >> 7;
		}
		if (s->flags & HIDDEN) {
			dropped++;
			sum += run & 255;
		} else {
			checked += size & 1;
			sum -= run >> 24;
		}
		if (s->flags & MARKED)
			run += (sum << 1) | (sum >> 31);
		else
			run -= sum & 0xffff;
	}
	return sum ^ run;
}

/* A phase's scene has 60, 25, 15 % of its three kinds, and 97 % equal flags. */
static void make_scene(struct shape *shapes, uint32_t phase)
{
	for (uint32_t i = 0; i < SHAPES; i++) {
		uint32_t at = draw(100), flags = 0;
		uint32_t kind = at < 60 ? 0 : at < 85 ? 1 : 2;

		for (uint32_t bit = 1; bit <= MARKED; bit <<= 1)
			if ((draw(100) < 97) == (phase == 0))
				flags |= bit;
		kind += phase * 3;
		shapes[i] = (struct shape){
			kinds[kind], kind, 1 + draw(1000), 1 + draw(1000),
			1 + draw(1000), flags,
		};
	}
}

int main(int argc, char **argv)
{
	unsigned long cycles = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	unsigned long scenes = argc > 2 ? strtoul(argv[2], NULL, 10) : STRETCH;
	uint32_t sum = 1;

	if (cycles == 0 || scenes < LINES) {
		fputs("usage: invert CYCLES [SCENES]\n", stderr);
		return 2;
	}
	make_scene(scene[0], 0);
	make_scene(scene[1], 1);
	for (unsigned long c = 0; c < 2 * cycles; c++)
		for (unsigned long i = 1; i <= scenes; i++) {
			sum += pass(scene[c % 2], 1 + sum % 5);
			if (i % (scenes / LINES) != 0)
				continue;
			printf("%c %08" PRIx32 " %" PRIu32 " %" PRIu32 "\n",
			       "AB"[c % 2], sum, checked, dropped);
			fflush(stdout);
		}
	return 0;
}
