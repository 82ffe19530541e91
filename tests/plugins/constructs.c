/*
 * constructs.c - a plug-in whose constructor computes for so long that the
 * compiler is wanted meanwhile, and then forks or ends the program
 *
 *	constructs PLUG fork|exit	-DMAIN
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONSTRUCTOR_S 3

void computes(double seconds);
extern const char *what;

#ifdef MAIN

const char *what;
static volatile unsigned sum;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static unsigned step(unsigned x)
{
	for (unsigned i = 0; i < 100; i++)
		x = x * 31 + (x >> 7);
	return x | 1;
}

void computes(double seconds)
{
	double end = now() + seconds;

	while (now() < end)
		for (int i = 0; i < 1000; i++)
			sum += step(sum);
}

int main(int argc, char **argv)
{
	/* libcof begins, and has no reason yet to load the compiler. */
	what = argv[2];
	computes(0.05);
	usleep(500000);
	if (!dlopen(argv[1], RTLD_NOW)) {
		puts(dlerror());
		return 1;
	}
	computes(0.2);
	puts("main");
	return 0;
}

#else

static void forks(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		computes(0.2);
		_exit(7);
	}
	waitpid(child, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
	fflush(stdout);
}

__attribute__((constructor)) static void construct(void)
{
	computes(CONSTRUCTOR_S);
	if (strcmp(what, "fork") == 0)
		forks();
	else
		exit(5);
}

#endif
