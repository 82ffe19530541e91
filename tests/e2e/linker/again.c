/*
 * again.c - loaded before a program, it calls main() again and again, so that
 * libcof builds what the program has
 *
 * AGAIN_MS, milliseconds of CPU time; without it main() is called once. Every
 * so often a call must print and return what the second did. The first one's
 * output is the program's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BYTES  4096
#define UNSEEN 1000	/* calls whose output is not looked at: it takes long */

typedef int main_fn(int argc, char **argv, char **envp);
typedef int start_fn(main_fn *main, int argc, char **argv, void (*init)(void),
		     void (*fini)(void), void (*rtld_fini)(void), void *stack);

struct call {
	int  status;
	long bytes;
	char text[BYTES];
};

static main_fn *real_main;

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* What it prints goes to a file that has no name, from its beginning. */
static void call_main(int file, int argc, char **argv, char **envp,
		      struct call *call)
{
	memset(call, 0, sizeof(*call));
	if (ftruncate(file, 0) != 0)
		_exit(99);
	lseek(file, 0, SEEK_SET);
	call->status = real_main(argc, argv, envp);
	fflush(stdout);
	call->bytes = (long)pread(file, call->text, BYTES, 0);
}

static int repeat(int argc, char **argv, char **envp, long most)
{
	static struct call second, last;
	int file = memfd_create("again", 0), out = dup(1);

	fflush(stdout);
	dup2(file, 1);
	call_main(file, argc, argv, envp, &second);
	do {
		for (int i = 0; i < UNSEEN; i++)
			real_main(argc, argv, envp);
		fflush(stdout);
		call_main(file, argc, argv, envp, &last);
		if (memcmp(&last, &second, sizeof(last)) != 0) {
			dprintf(out, "again: %d, %.*s\n", last.status,
				(int)last.bytes, last.text);
			_exit(98);
		}
	} while (cpu_ms() < most);
	dup2(out, 1);
	close(out);
	close(file);
	return last.status;
}

static int again(int argc, char **argv, char **envp)
{
	const char *ms = getenv("AGAIN_MS");
	int status = real_main(argc, argv, envp);

	return ms == NULL ? status : repeat(argc, argv, envp, atol(ms));
}

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack)
{
	start_fn *start = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

	real_main = main;
	return start(again, argc, argv, init, fini, rtld_fini, stack);
}
