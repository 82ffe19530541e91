/*
 * alloca.c - stack memory of a size known at run time
 *
 * guest-hot:
 */
#include <alloca.h>
#include <string.h>

#include "guest.h"

NOINLINE static uint64_t fill(unsigned char *p, size_t n, unsigned seed)
{
	uint64_t h = MIX0;

	memset(p, (int)seed, n);
	for (size_t i = 0; i < n; i += 17)
		p[i] = (unsigned char)(p[i] * 31 + i);
	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

NOINLINE static uint64_t vla(unsigned n)
{
	uint32_t square[n + 1][n + 1];
	uint64_t h = 0;

	for (unsigned i = 0; i <= n; i++)
		for (unsigned j = 0; j <= n; j++)
			square[i][j] = i * j + n;
	for (unsigned i = 0; i <= n; i++)
		h = mix(h, square[i][n - i]);
	return h + sizeof(square);
}

struct link { struct link *next; uint64_t v; };

NOINLINE static uint64_t chain(unsigned n)
{
	struct link *head = NULL;
	uint64_t h = MIX0;

	for (unsigned i = 0; i < n; i++) {
		struct link *l = alloca(sizeof(*l) + i % 40);

		*l = (struct link){ head, i };
		head = l;
	}
	for (; head; head = head->next)
		h = mix(h, head->v);
	return h;
}

NOINLINE static uint64_t aligned(unsigned n)
{
	_Alignas(64) unsigned char a[192];
	unsigned char *b = __builtin_alloca_with_align(n + 1, 512);

	memset(a, (int)n, sizeof(a));
	memset(b, (int)n, n + 1);
	return ((uintptr_t)a % 64) + ((uintptr_t)b % 64) + a[n % 192] + b[n];
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (unsigned i = 0; i < 150; i++) {
		size_t n = (i * 97) % 3000 + 1;

		h = mix(h, fill(alloca(n), n, i));
		h = mix(h, vla(i % 30));
		h = mix(h, chain(i));
		h = mix(h, aligned(i));
	}
	return h;
}

int main(void)
{
	guest_run("alloca", round_);
	return 0;
}
