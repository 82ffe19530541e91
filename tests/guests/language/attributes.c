/*
 * attributes.c - cleanup, pure, const, cold, hidden, returns_twice and others
 *
 * guest-hot:
 */
#include <string.h>
#include <unistd.h>

#include "guest.h"

static uint64_t cleaned;

static void clean(uint64_t *v) { cleaned = mix(cleaned, *v); }

__attribute__((pure, noinline)) static uint64_t look(const uint32_t *p, int n)
{
	uint64_t h = 0;

	for (int i = 0; i < n; i++)
		h = h * 7 + p[i];
	return h;
}

__attribute__((const, noinline)) static uint64_t square(uint64_t x)
{
	return x * x;
}

__attribute__((cold, noinline)) static uint64_t rare(uint64_t x) { return ~x; }
__attribute__((visibility("hidden"), noinline)) uint64_t hidden_one(uint64_t x);
uint64_t hidden_one(uint64_t x) { return x + 17; }
__attribute__((visibility("protected"), noinline)) uint64_t guarded(uint64_t x);
uint64_t guarded(uint64_t x) { return x ^ 99; }
__attribute__((optnone, noinline)) static uint64_t plain(uint64_t x)
{
	uint64_t y = x * 3;

	return y + 1;
}
__attribute__((flatten, noinline)) static uint64_t flat(uint64_t x)
{
	return square(x) + hidden_one(x);
}
__attribute__((always_inline)) static inline uint64_t inlined(uint64_t x)
{
	return x * 5 + 2;
}
__attribute__((noreturn, noinline)) static void leave(int status)
{
	fflush(stdout);
	_exit(status);
}
__attribute__((returns_nonnull, malloc, noinline)) static void *box(uint64_t x)
{
	uint64_t *p = malloc(sizeof(*p));

	*p = x;
	return p;
}
__attribute__((target("avx2"), noinline))
static void add_avx2(uint32_t *a, const uint32_t *b)
{
	for (int i = 0; i < 64; i++)
		a[i] += b[i] * 3;
}
__attribute__((target("sse4.2"), noinline)) static uint32_t crc(uint32_t c,
								uint64_t x)
{
	return (uint32_t)__builtin_ia32_crc32di(c, x);
}
__attribute__((regcall, noinline)) static uint64_t regs(uint64_t a, uint64_t b,
	uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g)
{
	return a + b * 3 + c * 5 + d * 7 + e * 11 + f * 13 + g;
}
__attribute__((preserve_most, noinline)) static uint64_t quiet(uint64_t x)
{
	return x >> 3;
}
__attribute__((ms_abi, noinline)) static uint64_t windows(uint64_t a, double b,
							  int c, uint64_t d,
							  uint64_t e)
{
	return a + (uint64_t)b * 3 + (uint64_t)c * 5 + d * 7 + e * 11;
}
__attribute__((weak, noinline)) uint64_t overridable(uint64_t x)
{
	return x + 1000;
}

static uint64_t scoped(uint64_t x)
{
	__attribute__((cleanup(clean))) uint64_t a = x;
	__attribute__((cleanup(clean))) uint64_t b = x * 2;

	if (x % 3 == 0)
		return a;
	return a + b;
}

static uint64_t round_(void)
{
	uint32_t v[64], w[64];
	uint64_t h = MIX0, *p;
	uint32_t c = 0;

	cleaned = MIX0;
	for (uint32_t i = 0; i < 64; i++)
		v[i] = w[i] = i * 77;
	for (uint64_t i = 0; i < 1500; i++) {
		h = mix(h, look(v, 64) + flat(i) + plain(i) + inlined(i));
		if (__builtin_expect(i % 100 == 7, 0))
			h = rare(h);
		h += scoped(i) + guarded(i) + overridable(i) + quiet(i);
		h += regs(i, 2, 3, 4, 5, 6, h) + windows(i, 2.5, 3, h, 5);
		p = box(i);
		h ^= *p;
		free(p);
		if (__builtin_cpu_supports("avx2"))
			add_avx2(v, w);
		else
			for (int k = 0; k < 64; k++)
				v[k] += w[k] * 3;
		if (__builtin_cpu_supports("sse4.2"))
			c = crc(c, i);
	}
	return mix(h, cleaned + (c & 0));
}

int main(void)
{
	guest_run("attributes", round_);
	leave(19);
}
