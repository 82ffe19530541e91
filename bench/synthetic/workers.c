/*
 * workers.c - an interpreter's loop where servers have theirs: workers WAY
 * SECONDS
 *
 *	WAY	process	in the process itself
 *		child	in a child
 *		daemon	after daemon(3)
 *		pool	in four children at the same time
 *
 * Each process that works does so for so many seconds of its thread's CPU time.
 * It prints how many programs it interpreted in the second half, for each
 * million turns of a loop that no compiler can make faster, in as much time: so
 * what the machine does beside it cancels out.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POOL     4
#define LENGTH   256		/* of the interpreted program */
#define PROGRAMS 200		/* between two looks at the clock */
#define TURNS    20000		/* of the other loop */

typedef int operator(int, int);

static int add(int a, int b) { return a + b; }
static int flip(int a, int b) { return a ^ b; }
static int scale(int a, int b) { return a * b + 1; }

static operator *operators[] = { add, flip, scale };
static unsigned char code[LENGTH];

__attribute__((noinline)) static int interpret(const unsigned char *c, int x)
{
	for (int i = 0; i < LENGTH; i++)
		switch (c[i]) {
		case 0:
		case 1:
		case 2:
			x = operators[c[i]](x, i);
			break;
		case 3:
			x = (x >> 3) ^ (int)((unsigned)x << 5);
			break;
		case 4:
			x = x % 7 ? x + 1 : x - 1;
			break;
		default:
			x = ~x;
		}
	return x;
}

/* Each turn waits for the one before. */
__attribute__((noinline)) static unsigned long turn(unsigned long x)
{
	for (int i = 0; i < TURNS; i++) {
		x = x * 6364136223846793005u + 1;
		__asm__ volatile("" : "+r"(x));
	}
	return x;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int work(double seconds)
{
	double began = now(), half = began + seconds / 2;
	double end = began + seconds, at = began;
	double interpreting = 0, turning = 0, n = 0;
	unsigned long other = 1;
	int x = 1;

	while (at < end) {
		double before = now(), between;

		for (int i = 0; i < PROGRAMS; i++)
			x = interpret(code, x);
		between = now();
		other = turn(other);
		at = now();
		if (before < half)
			continue;
		interpreting += between - before;
		turning += at - between;
		n++;
	}
	/* Both results are asked for, so both loops stay. */
	printf("%.4f%s\n", PROGRAMS * (turning / n) /
	       ((interpreting / n) * TURNS) * 1e6,
	       (unsigned)x + other == 12345 ? " " : "");
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc == 3 ? argv[1] : "";
	double seconds = argc == 3 ? atof(argv[2]) : 0;
	int children = strcmp(way, "child") == 0 ? 1 :
		       strcmp(way, "pool") == 0 ? POOL : 0;

	if (seconds <= 0) {
		fprintf(stderr, "usage: workers process|child|daemon|pool "
			"SECONDS\n");
		return 2;
	}
	for (int i = 0; i < LENGTH; i++)
		code[i] = i % 17 == 0 ? 2 : i % 5 == 0 ? 3 : 0;
	if (strcmp(way, "daemon") == 0 && daemon(1, 1) != 0)
		return 1;
	for (int i = 0; i < children; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid == 0)
			return work(seconds);
	}
	if (children == 0)
		return work(seconds);
	while (wait(NULL) > 0)
		;
	return 0;
}
