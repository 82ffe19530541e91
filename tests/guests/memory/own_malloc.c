/*
 * own_malloc.c - the program has an allocator of its own, and libc uses that
 * too
 *
 * guest-hot:
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

/* Whatever is freed must have been allocated here. */
#define LIVE  0x6c697665u
#define POOL  (256u << 20)
#define SIZES 40

struct block {
	size_t        size;	/* log2 */
	unsigned      state;
	struct block *next;
};

static char pool[POOL] __attribute__((aligned(64)));
static size_t used;
static struct block *freed[SIZES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int strdups;	/* that got a block from here */

/* Too large for a thread's static room; malloc() uses it, too. */
static _Thread_local struct {
	unsigned long calls;
	char          rest[20000];
} of_thread;

static void die(const char *why)
{
	write(2, why, strlen(why));
	_exit(3);
}

static size_t log2_of(size_t n)
{
	size_t size = 5;

	while (((size_t)1 << size) < n)
		size++;
	return size;
}

void *malloc(size_t n)
{
	size_t size = log2_of(n + sizeof(struct block) + 8);
	struct block *b;

	of_thread.calls++;
	pthread_mutex_lock(&lock);
	b = freed[size];
	if (b != NULL) {
		freed[size] = b->next;
	} else {
		b = (struct block *)(pool + used);
		used += (size_t)1 << size;
		if (used > POOL)
			die("the pool is empty\n");
		b->size = size;
	}
	b->state = LIVE;
	pthread_mutex_unlock(&lock);
	return (char *)b + 32;
}

static struct block *block_of(void *p)
{
	struct block *b = (struct block *)((char *)p - 32);

	if ((char *)b < pool || (char *)b >= pool + POOL || b->state != LIVE)
		die("not a block of the program's\n");
	return b;
}

void free(void *p)
{
	struct block *b;

	if (p == NULL)
		return;
	b = block_of(p);
	pthread_mutex_lock(&lock);
	b->state = 0;
	b->next = freed[b->size];
	freed[b->size] = b;
	pthread_mutex_unlock(&lock);
}

void *calloc(size_t n, size_t bytes)
{
	void *p = malloc(n * bytes);

	return memset(p, 0, n * bytes);
}

void *realloc(void *p, size_t n)
{
	size_t room;
	void *to;

	if (p == NULL)
		return malloc(n);
	room = ((size_t)1 << block_of(p)->size) - 32;
	if (n <= room)
		return p;
	to = malloc(n);
	memcpy(to, p, room);
	free(p);
	return to;
}

void *aligned_alloc(size_t alignment, size_t n)
{
	return alignment <= 32 ? malloc(n) : NULL;
}

/* -- What libc allocates --------------------------------------------------- */

static uint64_t strings(uint64_t h)
{
	char *s = strdup("a string"), *a = NULL, *path, *line = NULL;
	size_t room = 0;
	FILE *f;

	strdups += s > pool && s < pool + POOL;
	if (asprintf(&a, "%s, %d", s, 42) > 0)
		h = mix(h, strlen(a));
	free(s);
	free(a);
	path = realpath("/", NULL);
	h = mix(h, strlen(path));
	free(path);
	f = fopen("/proc/self/status", "r");
	h = mix(h, getline(&line, &room, f) > 0);
	fclose(f);
	free(line);
	setenv("GROWS", "by a value that is new", 1);
	closedir(opendir("/"));
	return h;
}

static void *other(void *arg)
{
	uint64_t h = strings((uint64_t)(uintptr_t)arg);

	for (int i = 0; i < 100; i++) {
		char *p = malloc((size_t)i * 20);

		h = mix(h, p != NULL);
		free(realloc(p, 5000));
	}
	of_thread.rest[of_thread.calls % sizeof(of_thread.rest)] = 1;
	return strdup(h != 0 && of_thread.calls > 100 ? "a thread's" : "");
}

static uint64_t round_(void)
{
	uint64_t h = strings(MIX0);
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, other, (void *)(uintptr_t)i);
	for (int i = 0; i < 3; i++) {
		void *s;

		pthread_join(thread[i], &s);
		h = mix(h, strlen(s));
		free(s);
	}
	for (int i = 0; i < 200; i++) {
		h = guest_work(h);
		free(calloc(3, 7));
	}
	return h;
}

int main(void)
{
	guest_run("own_malloc", round_);
	printf("strdup() is served: %d\n", strdups > 0);
	return 0;
}
