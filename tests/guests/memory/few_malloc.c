/*
 * few_malloc.c - malloc() and free() are the program's, the rest of the family
 * is libc's
 *
 * guest-cflags: -fno-builtin
 * guest-hot:
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

extern void *__libc_malloc(size_t n);
extern void __libc_free(void *p);

static unsigned long n_malloc, n_free;

void *malloc(size_t n)
{
	n_malloc++;
	return __libc_malloc(n);
}

void free(void *p)
{
	n_free++;
	__libc_free(p);
}

/* Compilers do not see what goes through here. */
static void *volatile seen;

static void *see(void *p)
{
	seen = p;
	return seen;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	void *p;

	for (size_t i = 1; i < 300; i++) {
		free(see(calloc(i, 7)));
		free(see(realloc(NULL, i * 5)));
		free(see(realloc(see(calloc(1, i)), i * 20)));
		free(see(aligned_alloc(64, 64 * i)));
		free(see(memalign(32, i)));
		if (posix_memalign(&p, 128, i) == 0)
			free(see(p));
		free(see(strdup("by libc")));
		h = guest_work(h);
	}
	return h;
}

int main(void)
{
	unsigned long before = n_malloc;

	free(see(strdup("by libc")));
	printf("strdup %lu\n", n_malloc - before);
	before = n_malloc;
	free(see(calloc(1, 100)));
	free(see(realloc(NULL, 100)));
	printf("calloc and realloc %lu\n", n_malloc - before);
	guest_run("few_malloc", round_);
	printf("%d\n", n_free > n_malloc);
	return 0;
}
