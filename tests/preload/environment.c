/*
 * environment.c - environment, arguments, auxiliary vector and /proc/self are
 * what they are natively, and already in constructors
 *
 * args: a b
 * fake: none
 * options: start_ms=1000000
 */
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;

__attribute__((constructor))
static void early(void)
{
	printf("%d\n", getenv("COF_PRELOAD") != NULL);
}

/* Entries that mean something. */
static unsigned count_auxv(const Elf64_auxv_t *at)
{
	unsigned n = 0;

	for (; at->a_type != AT_NULL; at++)
		n += at->a_type != AT_IGNORE;
	return n;
}

/* Do the strings follow one another, as programs that write a title expect? */
static int are_in_a_row(char **argv, char **envp)
{
	char *at = *argv;

	for (; *argv != NULL; argv++) {
		if (*argv != at)
			return 0;
		at += strlen(at) + 1;
	}
	for (; *envp != NULL; envp++) {
		if (*envp != at)
			return 0;
		at += strlen(at) + 1;
	}
	return 1;
}

/* Strings, with zeros at the end left out. */
static void show(const char *path)
{
	static char text[1 << 17];
	int fd = open(path, O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text));

	close(fd);
	while (n > 0 && text[n - 1] == '\0')
		n--;
	for (ssize_t i = 0; i < n; i++)
		putchar(text[i] == '\0' ? '\n' : text[i]);
	putchar('\n');
}

int main(int argc, char **argv, char **envp)
{
	char path[PATH_MAX];
	char **at = envp;

	while (*at != NULL)
		puts(*at++);
	printf("%d %d %d %d\n", argc, envp == environ, envp == argv + argc + 1,
	       are_in_a_row(argv, envp));
	printf("%u %lu\n", count_auxv((const void *)(at + 1)),
	       getauxval(AT_PAGESZ));
	show("/proc/self/environ");
	show("/proc/self/cmdline");
	show("/proc/self/comm");
	puts(realpath("/proc/self/exe", path));
	return 0;
}
