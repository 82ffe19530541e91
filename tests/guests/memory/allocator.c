/*
 * allocator.c - the allocator is libc's, as natively: its sizes, knobs and
 * errors
 *
 * guest-hot:
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* Compilers do not see what goes through here. */
static void *volatile seen;

static void *see(void *p)
{
	seen = p;
	return seen;
}

/* Granted sizes are an allocator's own: libc's end 8 bytes before the next
 * block. */
NOINLINE static uint64_t sizes(uint64_t h)
{
	for (size_t n = 0; n < 3000; n += 7) {
		char *p = see(malloc(n));

		h = mix(h, malloc_usable_size(p) % 16);
		p = see(realloc(p, 2 * n + 1));
		h = mix(h, malloc_usable_size(p) % 16);
		p[2 * n] = 1;
		free(p);
	}
	return h;
}

/* libc hands out what it allocated itself, and takes what the program did. */
NOINLINE static uint64_t between(uint64_t h)
{
	char *line = malloc(2), *text = NULL, *copy;
	size_t n = 2;
	FILE *f = open_memstream(&text, &(size_t){ 0 });

	for (int i = 0; i < 100; i++)
		fprintf(f, "line %d\n", i);
	fclose(f);
	f = fmemopen(text, strlen(text), "r");
	while (getline(&line, &n, f) > 0)
		h = mix(h, strlen(line));
	fclose(f);
	copy = strdup(line);
	copy = reallocarray(copy, 100, 10);
	h = mix(h, copy != NULL);
	free(copy);
	free(line);
	free(text);
	return h;
}

/* What was used before is zero when calloc() hands it out, and else whole. */
NOINLINE static uint64_t again(uint64_t h)
{
	static unsigned char *block[200];

	for (unsigned round = 0; round < 4; round++) {
		for (size_t n = 1; n < 200; n++) {
			block[n] = see(round & 1 ? calloc(n, 7) :
						   malloc(7 * n));
			if (round & 1)
				for (size_t i = 0; i < 7 * n; i++)
					h += block[n][i];
			memset(block[n], (int)n, 7 * n);
		}
		for (size_t n = 1; n < 200; n += 2)
			block[n] = see(realloc(block[n], 1200 - 5 * n));
		for (size_t n = 1; n < 200; n++) {
			size_t kept = n % 2 && 1200 - 5 * n < 7 * n ?
				      1200 - 5 * n : 7 * n;

			for (size_t i = 0; i < kept; i++)
				h = mix(h, block[n][i]);
			free(block[n]);
		}
	}
	return h;
}

static uint64_t round_(void)
{
	return again(between(sizes(MIX0)));
}

/* libc finds it, and ends the program. */
static void free_twice(void)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		void *p = see(malloc(60));

		free(p);
		free(see(p));
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("freed twice: signal %d\n", WIFSIGNALED(status) ?
					   WTERMSIG(status) : 0);
}

static void *in_thread(void *arg)
{
	free(arg);
	return malloc(100);
}

static void errors(volatile size_t huge, volatile size_t three)
{
	void *p = &p;

	errno = 0;
	printf("malloc %d", see(malloc(huge)) == NULL);
	printf(" %d\n", errno == ENOMEM);
	errno = 0;
	printf("calloc %d", see(calloc(huge / 2, three)) == NULL);
	printf(" %d\n", errno == ENOMEM);
	errno = 0;
	printf("posix_memalign %d", posix_memalign(&p, three, 100) == EINVAL);
	printf(" %d", posix_memalign(&p, 24, 100) == EINVAL);
	printf(" %d\n", posix_memalign(&p, 64, huge) == ENOMEM);
}

static void odd_ones(void)
{
	void *p = see(valloc(10)), *q = see(memalign(256, 10));

	printf("valloc %u memalign %u\n", (unsigned)((uintptr_t)p % 4096),
	       (unsigned)((uintptr_t)q % 256));
	free(p);
	free(q);
	printf("usable of NULL %zu\n", malloc_usable_size(NULL));
	free(NULL);
}

static void knobs(void)
{
	struct mallinfo2 before, after;
	void *p;

	printf("mallopt %d\n", mallopt(M_MMAP_THRESHOLD, 100000));
	before = mallinfo2();
	p = see(malloc(1000000));
	after = mallinfo2();
	printf("mapped %zu, %zu bytes\n", after.hblks - before.hblks,
	       after.hblkhd - before.hblkhd);
	free(p);
}

int main(void)
{
	pthread_t t;
	void *p;

	errors((size_t)-100, 3);
	odd_ones();
	knobs();
	if (pthread_create(&t, NULL, in_thread, malloc(100)) != 0)
		return 1;
	pthread_join(t, &p);
	printf("a thread's %zu\n", malloc_usable_size(p) % 16);
	free(p);
	free_twice();
	guest_run("allocator", round_);
	return 0;
}
