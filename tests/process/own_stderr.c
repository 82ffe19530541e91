/*
 * own_stderr.c - descriptor 2 is a file of the program's, and libcof has
 * something to tell
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work.h"

#define RUN_MS 1000

int main(void)
{
	/* Too little for libcof, which tells that it cannot begin. */
	const struct rlimit little = { 80 << 20, 80 << 20 };
	char name[] = "/tmp/own_stderr.XXXXXX";
	struct stat st;

	close(STDERR_FILENO);
	printf("%d\n", mkstemp(name));
	unlink(name);
	setrlimit(RLIMIT_AS, &little);
	work_for(RUN_MS);
	fstat(STDERR_FILENO, &st);
	printf("%ld bytes\n", (long)st.st_size);
	return 0;
}
