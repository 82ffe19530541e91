/*
 * structs.c - structs by value in all sizes and classes, also through pointers
 *
 * guest-hot:
 */
#include <string.h>

#include "guest.h"

#define CHARS(n) \
	struct c##n { unsigned char v[n]; }; \
	NOINLINE static struct c##n pass##n(struct c##n a, int k, \
					    struct c##n b) \
	{ \
		struct c##n r; \
		for (int i = 0; i < n; i++) \
			r.v[i] = (unsigned char)(a.v[i] * 3 + \
						 b.v[n - 1 - i] + k); \
		return r; \
	} \
	static uint64_t run##n(uint64_t h, int k) \
	{ \
		struct c##n (*volatile p)(struct c##n, int, \
					  struct c##n) = pass##n; \
		struct c##n a, b; \
		memset(&a, k, n); \
		memset(&b, k + 1, n); \
		a = pass##n(a, k, b); \
		b = p(b, k, a); \
		for (int i = 0; i < n; i++) \
			h = (h ^ a.v[i] ^ (unsigned)b.v[i] << 8) * \
			    0x100000001b3u; \
		return h; \
	}

CHARS(1) CHARS(2) CHARS(3) CHARS(4) CHARS(5) CHARS(6) CHARS(7) CHARS(8)
CHARS(9) CHARS(12) CHARS(15) CHARS(16) CHARS(17) CHARS(24) CHARS(31) CHARS(32)
CHARS(33) CHARS(48) CHARS(64) CHARS(100) CHARS(256)

struct f1 { float a; };
struct f3 { float a, b, c; };
struct d2 { double a, b; };
struct di { double a; long b; };
struct id { int a; double b; };
struct fi { float a; int b; float c; };
struct ld { long double a; int b; };
struct d3 { double a, b, c; };
struct p2 { char *a; short b; };

NOINLINE static struct f1 f1(struct f1 x) { x.a *= 2; return x; }
NOINLINE static struct f3 f3(struct f3 x) { x.b += x.a * x.c; return x; }
NOINLINE static struct d2 d2(struct d2 x) { x.b -= x.a; return x; }
NOINLINE static struct di di(struct di x) { x.b += (long)x.a; return x; }
NOINLINE static struct id id(struct id x) { x.b += x.a; return x; }
NOINLINE static struct fi fi(struct fi x) { x.c += (float)x.b; return x; }
NOINLINE static struct ld ld(struct ld x) { x.a /= x.b; return x; }
NOINLINE static struct d3 d3(struct d3 x) { x.a = x.b / x.c; return x; }
NOINLINE static struct p2 p2(struct p2 x) { x.b += *x.a; x.a++; return x; }

/* Registers run out in the middle. */
NOINLINE static double all(int a, struct d2 b, struct id c, double d, double e,
			   struct d2 f, struct di g, double h, struct d2 i,
			   struct id j, struct id k, struct d3 l)
{
	return a + b.a * c.b + d / e + f.b - (double)g.b * h + i.a + j.b * k.a +
	       l.c;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (int k = 1; k < 60; k++) {
		struct d2 d = { k, k * .5 };
		struct id i = { k, k * .25 };
		struct di g = { k * 2., k };
		struct d3 l = { 1, k, 3 };

		h = run1(h, k); h = run2(h, k); h = run3(h, k);
		h = run4(h, k); h = run5(h, k); h = run6(h, k);
		h = run7(h, k); h = run8(h, k); h = run9(h, k);
		h = run12(h, k); h = run15(h, k); h = run16(h, k);
		h = run17(h, k); h = run24(h, k); h = run31(h, k);
		h = run32(h, k); h = run33(h, k); h = run48(h, k);
		h = run64(h, k); h = run100(h, k); h = run256(h, k);
		h = mix(h, bits(f1((struct f1){ (float)k }).a));
		h = mix(h, bits(f3((struct f3){ (float)k, 2, 3 }).b));
		h = mix(h, bits(d2(d).b) + (uint64_t)di(g).b);
		h = mix(h, bits(id(i).b) + bits(fi((struct fi){ 1, k, 2 }).c));
		h = mix(h, bits((double)ld((struct ld){ 7, k }).a));
		h = mix(h, bits(d3(l).a));
		h = mix(h, (uint64_t)p2((struct p2){ &"string"[k % 6],
						     (short)k }).b);
		h = mix(h, bits(all(k, d, i, 1.5, k, d, g, 3, d, i, i, l)));
	}
	return h;
}

int main(void)
{
	guest_run("structs", round_);
	return 0;
}
