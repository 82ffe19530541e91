/*
 * memory.c - malloc and its relatives, and the memory and string functions
 *
 * guest-hot:
 */
#include <malloc.h>
#include <string.h>
#include <wchar.h>

#include "guest.h"

NOINLINE static uint64_t sum(const unsigned char *p, size_t n)
{
	uint64_t h = MIX0;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

NOINLINE static void overlap(unsigned char *p, size_t n, size_t by)
{
	memmove(p + by, p, n - by);
	memmove(p, p + by / 2, n - by);
}

/* Loops that optimizers turn into memset, memcpy and strlen. */
NOINLINE static void idioms(unsigned char *to, const unsigned char *from,
			    size_t n)
{
	for (size_t i = 0; i < n / 2; i++)
		to[i] = 0x2a;
	for (size_t i = n / 2; i < n; i++)
		to[i] = from[i];
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	unsigned char *p[64] = { NULL }, buf[512], from[512];
	wchar_t wide[40];
	void *a;

	for (unsigned i = 0; i < 512; i++)
		from[i] = (unsigned char)(i * 7);
	for (unsigned i = 0; i < 1500; i++) {
		size_t n = i * 131 % 2000 + 1;
		unsigned k = i * 29 % 64;

		switch (i % 4) {
		case 0:
			free(p[k]);
			p[k] = malloc(n);
			memset(p[k], (int)i, n);
			break;
		case 1:
			free(p[k]);
			p[k] = calloc(n, 1);
			h += sum(p[k], n);
			break;
		case 2:
			p[k] = realloc(p[k], n);
			memset(p[k], (int)n, n);
			break;
		case 3:
			a = aligned_alloc(64, 640);
			h += (uintptr_t)a % 64;
			free(a);
			if (posix_memalign(&a, 4096, n))
				return 1;
			h += (uintptr_t)a % 4096 + (malloc_usable_size(a) >= n);
			free(a);
			break;
		}
		if (p[k])
			h = mix(h, p[k][0]);
		memset(buf, (int)i, sizeof(buf));
		idioms(buf, from, 100 + i % 400);
		overlap(buf, 500, i % 100 + 1);
		h = mix(h, sum(buf, 500));
		snprintf((char *)buf, sizeof(buf), "%u;%u;%u", i, i * 3, k);
		h += strlen((char *)buf) + (uint64_t)strtol((char *)buf, NULL,
							    10);
		swprintf(wide, 40, L"%u", i);
		h += wcslen(wide) + (memcmp(buf, "1", 1) > 0);
	}
	for (unsigned i = 0; i < 64; i++)
		free(p[i]);
	return h;
}

int main(void)
{
	guest_run("memory", round_);
	return 0;
}
