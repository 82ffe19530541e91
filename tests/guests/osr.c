/*
 * osr.c - loops that are never left, in functions that are called once: they go
 * on in newer code all the same, in the middle of everything
 *
 * guest-osr:
 * guest-args: nest
 * guest-args: irreducible
 * guest-args: direct
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
 * guest-args: locked
 * guest-args: recursive
 * guest-led: irreducible
 * guest-led: direct
 * guest-led: large
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include "guest.h"

static volatile uint64_t seed = 12345;

NOINLINE static uint64_t nest(void)
{
	uint64_t a = seed, table[16];

	for (int i = 0; i < 16; i++)
		table[i] = a * (uint64_t)i;
	ROUNDS_BEGIN(h)
		for (int i = 0; i < 40; i++) {
			uint64_t row = h ^ (uint64_t)i;

			for (int j = 0; j < 40; j++) {
				uint64_t cell = row + table[j & 15];

				for (int k = 0; k < 40; k++)
					cell = cell * 31 + (uint64_t)(i ^ j ^ k);
				row += cell;
			}
			h = mix(h, row);
		}
	ROUNDS_END(h);
	return first_ + table[3];
}

NOINLINE static uint64_t irreducible(void)
{
	uint64_t a = seed, b = a * 3;

	ROUNDS_BEGIN(h)
		uint64_t x = a, y = b;
		int i = 0;

		if (x & 1)
			goto middle;
top:		x = x * 5 + y;
		i++;
middle:		y = y * 7 ^ x;
		i++;
		if (i < 20000)
			{ if (y & 4) goto top; goto middle; }
		h = mix(mix(h, x), y);
	ROUNDS_END(h);
	return first_;
}

/* An interpreter with threaded code, as Lua's. */
NOINLINE static uint64_t direct(void)
{
	static const void *const table[] = { &&add, &&sub, &&xor, &&shift,
					     &&jump, &&end };
	static const unsigned char code[] = { 0, 2, 1, 0, 3, 2, 0, 4, 5 };
	uint64_t a = seed;

	ROUNDS_BEGIN(h)
		uint64_t x = a, y = 99;
		unsigned left = 5000;
		const unsigned char *pc = code;

		goto *table[*pc++];
add:		x += y;
		goto *table[*pc++];
sub:		y -= x;
		goto *table[*pc++];
xor:		x ^= y << 3;
		goto *table[*pc++];
shift:		y = y << 7 | y >> 57;
		goto *table[*pc++];
jump:		if (--left != 0)
			pc = code;
		goto *table[*pc++];
end:		h = mix(mix(h, x), y);
	ROUNDS_END(h);
	return first_;
}

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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t shared;

NOINLINE static void *in_thread(void *arg)
{
	uint64_t a = (uint64_t)(uintptr_t)arg;

	ROUNDS_BEGIN(h)
		for (int i = 0; i < 500; i++) {
			pthread_mutex_lock(&lock);
			for (int k = 0; k < 40; k++)
				shared++;
			h = mix(h, a + (uint64_t)i);
			for (int k = 0; k < 40; k++)
				shared--;
			pthread_mutex_unlock(&lock);
		}
	ROUNDS_END(h);
	return (void *)(uintptr_t)first_;
}

static uint64_t locked(void)
{
	pthread_t thread[2];
	void *result[2];

	for (uintptr_t i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, in_thread, (void *)i) != 0)
			exit(4);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], &result[i]);
	return (uint64_t)(uintptr_t)result[0] + 3 *
	       (uint64_t)(uintptr_t)result[1] + shared;
}

/* Frames of one version, one upon the other, each in its loop. */
NOINLINE static uint64_t recursive_of(int depth)
{
	uint64_t sum = 0, local[2] = { (uint64_t)depth, seed };

	for (int i = 0; i < 3; i++) {
		sum = sum * 31 + local[i & 1];
		if (depth > 0 && i == 1)
			sum += recursive_of(depth - 1);
		if (depth == 0) {
			ROUNDS_BEGIN(h)
				for (int k = 0; k < 20000; k++)
					h = h * 31 + local[k & 1];
			ROUNDS_END(h);
			sum += first_;
		}
	}
	return sum;
}

static uint64_t recursive(void)
{
	return recursive_of(5);
}

static jmp_buf back;

NOINLINE static void jump(int i)
{
	if (i % 3 == 0)
		longjmp(back, i + 1);
}

/* Comes back to a frame: that one cannot be left. */
NOINLINE static uint64_t jumped(void)
{
	volatile uint64_t n = 0;

	ROUNDS_BEGIN(h)
		volatile int i = 0;
		int got;

		n = 0;
		for (i = 0; i < 3000; i++) {
			got = setjmp(back);
			if (got == 0)
				jump(i);
			else
				n += (uint64_t)got;
		}
		h = mix(h, n);
	ROUNDS_END(h);
	return first_;
}

NOINLINE static uint64_t tail_odd(uint64_t n, uint64_t h);

NOINLINE static uint64_t tail_even(uint64_t n, uint64_t h)
{
	for (int i = 0; i < 5; i++)
		h = h * 31 + n;
	if (n == 0)
		return h;
	__attribute__((musttail)) return tail_odd(n - 1, h);
}

NOINLINE static uint64_t tail_odd(uint64_t n, uint64_t h)
{
	for (int i = 0; i < 3; i++)
		h = h * 33 ^ n;
	if (n == 0)
		return h;
	__attribute__((musttail)) return tail_even(n - 1, h);
}

static uint64_t tail(void)
{
	ROUNDS_BEGIN(h)
		h = tail_even(200000, h);
	ROUNDS_END(h);
	return first_;
}

static const struct {
	const char *name;
	uint64_t  (*run)(void);
} cases[] = {
#define CASE(f) { #f, f }
	CASE(nest), CASE(irreducible), CASE(direct), CASE(escape), CASE(large),
	CASE(pair), CASE(memory), CASE(wide), CASE(dynamic), CASE(flagged),
	CASE(variadic), CASE(assembly), CASE(many), CASE(locked),
	CASE(recursive), CASE(jumped), CASE(tail),
#undef CASE
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (argc > 1 && strcmp(argv[1], cases[i].name) == 0)
			printf("%s %016" PRIx64 "\n", argv[1], cases[i].run());
	return 0;
}
