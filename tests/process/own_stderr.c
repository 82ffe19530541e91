/*
 * own_stderr.c - descriptor 2 is a file of the program's, and libcof has
 * something to tell
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RUN_S 1

__attribute__((noinline)) static unsigned work(unsigned n)
{
	unsigned s = 1;

	for (unsigned i = 0; i < n; i++)
		s = s % 3 == 0 ? s / 3 : s * 5 + i;
	return s;
}

int main(void)
{
	/* Too little for libcof, which tells that it cannot begin. */
	const struct rlimit little = { 80 << 20, 80 << 20 };
	char name[] = "/tmp/own_stderr.XXXXXX";
	volatile unsigned sum = 0;
	struct stat st;

	close(STDERR_FILENO);
	printf("%d\n", mkstemp(name));
	unlink(name);
	setrlimit(RLIMIT_AS, &little);
	while (clock() < RUN_S * CLOCKS_PER_SEC)
		sum += work(10000);
	fstat(STDERR_FILENO, &st);
	printf("%ld bytes\n", (long)st.st_size);
	return 0;
}
