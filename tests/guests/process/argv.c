/*
 * argv.c - arguments, environment, and the data libc shares with a program
 *
 * guest-args: -a -n 12 --long=x rest -- -a "two words" 'quote"s' "" *
 * guest-args: --cof=off --cof-verbose --help
 * guest-args:
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "guest.h"

extern char **environ;

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "long", required_argument, NULL, 'L' },
		{ 0 },
	};
	static char added[] = "GUEST_ADDED=by hand";
	int c;

	printf("%s, argc %d, end %s\n", argv[0], argc,
	       argv[argc] ? "set" : "null");
	printf("libc calls it %s and %s\n", program_invocation_name,
	       program_invocation_short_name);
	for (int i = 1; i < argc; i++)
		printf("[%s]", argv[i]);
	puts("");
	opterr = 0;
	while ((c = getopt_long(argc, argv, "an:", longs, NULL)) != -1)
		printf("option %c %s at %d\n", c, optarg ? optarg : "-",
		       optind);
	for (int i = optind; i < argc; i++)
		printf("operand %s\n", argv[i]);

	printf("page %lu, secure %lu, entry %s, random %s\n",
	       getauxval(AT_PAGESZ), getauxval(AT_SECURE),
	       getauxval(AT_PHDR) ? "set" : "unset",
	       getauxval(AT_RANDOM) ? "set" : "unset");

	printf("GUEST_MS %s\n", getenv("GUEST_MS") ? "set" : "unset");
	setenv("GUEST_NEW", "1", 1);
	putenv(added);
	c = 0;
	for (char **e = environ; *e; e++)
		if (!strncmp(*e, "GUEST_NEW=", 10) || *e == added)
			c++;
	unsetenv("GUEST_NEW");
	printf("%d found, then %s; libc's environ is %s\n", c,
	       getenv("GUEST_NEW") ? "there" : "gone",
	       environ == __environ ? "ours" : "another");
	fprintf(stderr, "to stderr\n");
	fflush(stdout);
	stdout = stderr;
	printf("stdout assigned\n");
	errno = 0;
	return close(99) == -1 && errno == EBADF ? 7 : 8;
}
