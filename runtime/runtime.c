/*
 * runtime - run a program with continuous optimization
 *
 *	runtime [--cof=MODE] [OPTION...] PROGRAM [ARG...]
 *
 * It becomes PROGRAM, with libcof-preload.so in it, or the host for .NET.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "dotnet.h"
#include "native.h"

/* The host for .NET has the same. Once the program runs, the exit status is the
 * program's. */
enum { STATUS_PROGRAM = 1, STATUS_USAGE = 2 };

static void usage(FILE *to)
{
	fputs("usage: runtime [--cof=MODE] [OPTION...] PROGRAM [ARG...]\n"
	      "\n"
	      "Run PROGRAM with continuous optimization: an executable that cof-cc made, a\n"
	      "file of linked LLVM bitcode, or an assembly for .NET.\n"
	      "\n"
	      "  --cof=MODE         off: run it as compiled at first; co: recompile what is\n"
	      "                     hot while it runs; pgo: recompile each function once,\n"
	      "                     with its profile; full: co and pgo; auto: full or\n"
	      "                     off, by what earlier runs showed (default)\n"
	      "  --cof-verbose      say on stderr what is decided\n"
	      "  --cof-NAME=VALUE   any option that `cof-stats --options` lists\n"
	      "  --cof-options=LIST several: NAME=VALUE,NAME=VALUE\n"
	      "  --help, --version\n"
	      "\n"
	      "Not .NET:\n"
	      "  --cof-argv0=NAME   what the program finds as its own name\n"
	      "  --cof-exec=self|no  self: a program that executes itself anew is run\n"
	      "                     likewise (default); no: natively\n"
	      "  --cof-finish       do not run it: build what its runs counted and had no time\n"
	      "                     to build\n"
	      "  --cof-load=LIB     load a shared library the program needs\n"
	      "\n"
	      ".NET only:\n"
	      "  --cof-frames=keep|inline  keep: stack traces have all frames that mono\n"
	      "                     shows (default with --mono=--debug); inline: not those\n"
	      "                     of hot methods that are inlined (default)\n"
	      "  --mono=OPTION      an option of mono(1), as --mono=--debug\n"
	      "\n"
	      "The environment variable COF_OPTIONS may hold options too. The command line\n"
	      "wins.\n"
	      "Exit status: the program's; 1 if it cannot be run, 2 if used wrongly.\n",
	      to);
}

/* Where the program stands on the command line, with its arguments; a NULL
 * there: there is none. Answers --help and --version if one stands before. */
static char **find_program(char **argv)
{
	while (*++argv != NULL && strncmp(*argv, "--", 2) == 0) {
		if (strcmp(*argv, "--help") == 0) {
			usage(stdout);
			exit(0);
		}
		if (strcmp(*argv, "--version") == 0) {
			puts("runtime (libcof) " COF_VERSION_STRING);
			exit(0);
		}
		if ((*argv)[2] == '\0')
			return argv + 1;
	}
	return argv;
}

int main(int argc, char **argv)
{
	char **program = argc > 0 ? find_program(argv) : NULL;

	if (program == NULL || *program == NULL) {
		fputs("runtime: no program; see runtime --help\n", stderr);
		return STATUS_USAGE;
	}
	if (!dotnet_is(*program))
		return native_execute(argv, program);
	dotnet_execute(argv, *program);
	return STATUS_PROGRAM;
}
