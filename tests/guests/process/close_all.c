/*
 * close_all.c - a daemon's start: close every descriptor, whoever opened it,
 * and use their numbers again; then fork, recompile, and exit
 *
 * guest-hot:
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

NOINLINE static uint64_t step(uint64_t h, uint64_t x)
{
	return mix(h, x ^ h >> 7);
}

static uint64_t round_of_steps(void)
{
	uint64_t h = MIX0;

	for (uint64_t i = 0; i < 20000; i++)
		h = step(h, i);
	return h;
}

static void size_of(const char *what, int fd)
{
	struct stat st;

	printf("%s: %d bytes\n", what, fstat(fd, &st) == 0 ? (int)st.st_size :
							    -1);
	fflush(stdout);
}

int main(void)
{
	FILE *kept;
	int null, status = 0;
	pid_t child;

	for (int fd = 3; fd < 2048; fd++)
		close(fd);
	kept = tmpfile();
	null = open("/dev/null", O_RDWR);
	printf("first free: %d %d\n", fileno(kept), null);
	fprintf(kept, "parent\n");
	fflush(kept);
	guest_run("steps", round_of_steps);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		fprintf(kept, "child\n");
		fflush(kept);
		size_of("in the child", fileno(kept));
		printf("child %016" PRIx64 "\n", round_of_steps());
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, &status, 0);
	size_of("in the parent", fileno(kept));
	guest_run("steps", round_of_steps);
	return WEXITSTATUS(status);
}
