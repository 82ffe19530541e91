/*
 * osr_values.c - what is alive in the loops of osr.c: of all kinds, in all
 * places
 *
 * guest-osr:
 * guest-args: escape
 * guest-args: large
 * guest-args: pair
 * guest-args: memory
 * guest-args: wide
 * guest-args: dynamic
 * guest-args: flagged
 * guest-args: variadic
 * guest-args: assembly
 * guest-args: many
 * guest-led: large
 * guest-tried: escape
 * guest-tried: large
 * guest-tried: pair
 * guest-tried: memory
 * guest-tried: wide
 * guest-tried: flagged
 * guest-tried: variadic
 * guest-tried: assembly
 * guest-tried: many
 */
#include <stdarg.h>
#include <string.h>

#include "guest.h"

static volatile uint64_t seed = 12345;

static uint64_t *kept;

NOINLINE static void keep(uint64_t *p)
{
	kept = p;
}

NOINLINE static void touch(uint64_t by)
{
	kept[0] += by;
	kept[1] ^= kept[0];
}

NOINLINE static uint64_t escape(void)
{
	uint64_t known[2] = { seed, 7 }, unknown[4] = { 1, 2, 3, seed };

	keep(known);
	ROUNDS_BEGIN(h)
		known[0] = seed;
		known[1] = 7;
		unknown[1] = 2;
		for (int i = 0; i < 20000; i++) {
			touch(unknown[i & 3]);
			unknown[1] += known[1];
			if (kept != known)
				guest_differs("kept", 0, 0);
		}
		h = mix(mix(h, known[0]), unknown[1]);
	ROUNDS_END(h);
	return first_;
}

NOINLINE static uint64_t large(void)
{
	uint64_t big[16384], a = seed;

	memset(big, 0, sizeof(big));
	ROUNDS_BEGIN(h)
		for (unsigned i = 0; i < 16384; i++)
			big[i] = a * i;
		for (unsigned i = 0; i < 40000; i++)
			big[i * 7 & 16383] += big[i & 16383] ^ i;
		for (unsigned i = 0; i < 16384; i++)
			h = h * 31 + big[i];
	ROUNDS_END(h);
	return first_;
}

struct pair { double a, b; };
struct triple { uint64_t a, b, c; };

NOINLINE static struct pair pair_of(double by)
{
	double x = (double)seed, y = by;

	ROUNDS_BEGIN(h)
		double u = x, v = y;

		for (int i = 0; i < 30000; i++) {
			u = u * 0.5 + v;
			v = v * 0.25 + 1;
		}
		h = mix(mix(h, bits(u)), bits(v));
		x = (double)seed;
		y = by;
		if (h == 1)
			return (struct pair){ u, v };
	ROUNDS_END(h);
	return (struct pair){ (double)(first_ >> 32), x + y };
}

NOINLINE static uint64_t pair(void)
{
	struct pair p = pair_of(3);

	return mix(bits(p.a), bits(p.b));
}

NOINLINE static struct triple triple_of(struct triple by)
{
	struct triple t = { 0 };

	ROUNDS_BEGIN(h)
		t = by;
		for (int i = 0; i < 30000; i++) {
			t.a += t.b * 3;
			t.b ^= t.c + by.a;
			t.c = t.c * 5 + t.a;
		}
		h = mix(mix(mix(h, t.a), t.b), t.c);
	ROUNDS_END(h);
	return t;
}

NOINLINE static uint64_t memory(void)
{
	struct triple t = triple_of((struct triple){ seed, 2, 3 });

	return mix(mix(t.a, t.b), t.c);
}

typedef double quad __attribute__((vector_size(32)));

NOINLINE static uint64_t wide(void)
{
	quad q = { 1, 2, 3, (double)seed };
	long double l = (long double)seed;
	unsigned __int128 big = (unsigned __int128)seed << 70 | 5;
	_Bool flag = seed & 1;

	ROUNDS_BEGIN(h)
		quad r = q;
		long double m = l;
		unsigned __int128 b = big;

		for (int i = 0; i < 20000; i++) {
			r = r * 0.5 + q;
			m = m / 3 + 1;
			b = b * 3 + (uint64_t)i;
			if (flag)
				r[i & 3] += 1;
		}
		h = mix(mix(h, bits(r[0])), bits(r[3]));
		h = mix(h, bits((double)m));
		h = mix(mix(h, (uint64_t)b), (uint64_t)(b >> 64));
	ROUNDS_END(h);
	return first_;
}

NOINLINE static uint64_t sum(const unsigned char *p, size_t n)
{
	uint64_t h = MIX0;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 31;
	return h;
}

NOINLINE static uint64_t dynamic(void)
{
	size_t n = seed % 100 + 10;
	unsigned char *before = __builtin_alloca(n);

	memset(before, 3, n);
	ROUNDS_BEGIN(h)
		for (unsigned i = 0; i < 3000; i++) {
			unsigned char inside[i % 50 + 1];

			memset(inside, (int)i, sizeof(inside));
			before[i % n] = inside[0];
			h = mix(h, sum(inside, sizeof(inside)));
		}
		h = mix(h, sum(before, n));
		memset(before, 3, n);
	ROUNDS_END(h);
	return first_;
}

NOINLINE static _Bool flagged_of(unsigned char a, signed char b, short c)
{
	_Bool odd = 0;

	ROUNDS_BEGIN(h)
		unsigned char x = a;
		signed char y = b;
		short z = c;

		for (int i = 0; i < 30000; i++) {
			x = (unsigned char)(x * 3 + y);
			y = (signed char)(y + z);
			z = (short)(z * 5 + x);
			odd ^= z < 0;
		}
		h = mix(mix(mix(h, x), (uint64_t)y), (uint64_t)z);
	ROUNDS_END(h);
	return first_ & 1;
}

NOINLINE static uint64_t flagged(void)
{
	return flagged_of((unsigned char)seed, -5, 77);
}

NOINLINE static uint64_t variadic_of(int n, ...)
{
	uint64_t a = 0;
	va_list list, copy;

	va_start(list, n);
	ROUNDS_BEGIN(h)
		for (int i = 0; i < 2000; i++) {
			va_copy(copy, list);
			for (int k = 0; k < n; k++)
				h = mix(h, k & 1 ?
					bits(va_arg(copy, double)) :
					va_arg(copy, uint64_t));
			va_end(copy);
		}
	ROUNDS_END(h);
	a = va_arg(list, uint64_t);
	va_end(list);
	return first_ + a;
}

NOINLINE static uint64_t variadic(void)
{
	return variadic_of(10, seed, 1.5, seed, 2.5, seed, 3.5, seed, 4.5, seed,
			   5.5);
}

NOINLINE static uint64_t assembly(void)
{
	uint64_t a = seed;

	ROUNDS_BEGIN(h)
		uint64_t x = a;

		for (int i = 0; i < 20000; i++) {
			__asm__ volatile("rol $5, %0\n\tadd %1, %0"
					 : "+r"(x) : "r"(a) : "cc");
			__asm__ goto("test $1, %b0\n\tjz %l[even]"
				     : : "r"(x) : "cc" : even);
			x ^= a << 1;
even:			x += 3;
		}
		h = mix(h, x);
	ROUNDS_END(h);
	return first_;
}

/* More alive than there are registers; and parameters on the stack. */
NOINLINE static uint64_t many_of(uint64_t a, uint64_t b, uint64_t c, uint64_t d,
				 uint64_t e, uint64_t f, uint64_t g,
				 struct triple t, double u, float v)
{
	ROUNDS_BEGIN(h)
		uint64_t r[8] = { a, b, c, d, e, f, g, t.c };
		double x = u, y = v;

		for (int i = 0; i < 20000; i++) {
			r[0] += r[1] ^ t.a;
			r[1] = r[1] * 3 + r[2];
			r[2] ^= r[3] + b;
			r[3] += r[4] * c;
			r[4] = r[4] << 3 ^ r[5] + d;
			r[5] += r[6] ^ e;
			r[6] = r[6] * 9 + r[7] + f;
			r[7] ^= r[0] + g;
			x = x * 0.5 + y;
			y += (double)(r[0] & 7) * v;
		}
		for (int i = 0; i < 8; i++)
			h = mix(h, r[i]);
		h = mix(mix(h, bits(x)), bits(y));
	ROUNDS_END(h);
	return first_;
}

NOINLINE static uint64_t many(void)
{
	return many_of(seed, 2, 3, 4, 5, 6, 7, (struct triple){ 8, 9, seed },
		       1.25, 2.5f);
}

static const struct guest_case cases[] = {
	GUEST_CASE(escape), GUEST_CASE(large), GUEST_CASE(pair),
	GUEST_CASE(memory), GUEST_CASE(wide), GUEST_CASE(dynamic),
	GUEST_CASE(flagged), GUEST_CASE(variadic), GUEST_CASE(assembly),
	GUEST_CASE(many),
};

int main(int argc, char **argv)
{
	return guest_cases(cases, sizeof(cases) / sizeof(*cases), argc, argv);
}
