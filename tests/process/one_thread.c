/*
 * one_thread.c - to libc, a program of one thread stays one: it takes no locks
 *
 * The program runs until libc has found libcof's threads and lost them again,
 * or natively for a moment. Streams are not locked, and malloc(3) does without.
 *
 * fake: exits begins=1
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>
#include <time.h>
#include <unistd.h>

#include "../preload/joined.h"

static volatile unsigned long x;

static double cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int threads(void)
{
	char line[200];
	int n = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		sscanf(line, "Threads: %d", &n);
	if (f != NULL)
		fclose(f);
	return n;
}

/* What is in front of the buffer says whether the stream is locked. */
static ssize_t read_lock(void *stream, char *to, size_t bytes)
{
	const int *lock = (const void *)(*(FILE **)stream)->_lock;

	*to = lock[1] == 0 ? 'n' : 'y';
	return bytes > 0;
}

int main(void)
{
	static FILE *stream;
	void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	const char *single = dlsym(libc, "__libc_single_threaded");
	double limit = cpu() + 60;

	work_until_joined();
	while (threads() > 1 && !*single && cpu() < limit)
		for (int i = 0; i < 100000; i++)
			x += x * 3 + 1;
	stream = fopencookie(&stream, "r",
			     (cookie_io_functions_t){ .read = read_lock });
	printf("single %d, for the program %d, stream locked: %c\n", *single,
	       __libc_single_threaded, getc(stream));
	return 0;
}
