/*
 * own_malloc.c - a malloc(3) of the executable's own, which is for one thread,
 * is called on that thread alone, and never inside itself
 *
 * cc: -rdynamic
 * fake: exits begins=1
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../preload/joined.h"

static char room[64 << 20] __attribute__((aligned(16)));
static size_t used;
static volatile int inside;
static int wrong;
static volatile unsigned long x;

static void enter(void)
{
	if (inside++ != 0 || syscall(SYS_gettid) != getpid())
		wrong++;
	for (int i = 0; i < 50; i++)
		x += x * 3 + 1;
}

void *malloc(size_t bytes)
{
	size_t *p;

	enter();
	bytes = (bytes + 31) & ~(size_t)15;
	if (sizeof(room) - used < bytes)
		_exit(3);
	p = (size_t *)(void *)(room + used);
	used += bytes;
	*p = bytes - 16;
	inside--;
	return p + 2;
}

void free(void *p)
{
	enter();
	/* The last block is used again. */
	if (p != NULL && (char *)p + ((size_t *)p)[-2] == room + used)
		used -= ((size_t *)p)[-2] + 16;
	inside--;
}

void *calloc(size_t n, size_t bytes)
{
	return memset(malloc(n * bytes), 0, n * bytes);
}

void *realloc(void *old, size_t bytes)
{
	size_t had = old != NULL ? ((size_t *)old)[-2] : 0;
	void *p = malloc(bytes);

	memcpy(p, old, had < bytes ? had : bytes);
	return p;
}

int main(void)
{
	struct timespec t;

	work_until_joined();
	do {
		for (int i = 0; i < 100000; i++)
			free(malloc((size_t)i & 255));
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (t.tv_sec == 0);
	printf("%d times wrong\n", wrong);
	return 0;
}
