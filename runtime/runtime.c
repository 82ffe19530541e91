/*
 * runtime - run a program with continuous optimization
 *
 *	runtime [--cof=MODE] [OPTION...] PROGRAM [ARG...]
 *
 * It finds the host that can run PROGRAM and becomes it, before it loads
 * anything that only another host needs. The host reads the options.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cof.h"
#include "host.h"
#include "native.h"

/* The hosts have the same. Once the program runs, the exit status is the
 * program's. */
enum { STATUS_PROGRAM = 1, STATUS_USAGE = 2 };

static void usage(FILE *to)
{
	fputs("usage: runtime [--cof=MODE] [OPTION...] PROGRAM [ARG...]\n"
	      "\n"
	      "Run PROGRAM, linked LLVM bitcode or an assembly for .NET, with continuous\n"
	      "optimization.\n"
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
	      "Bitcode only:\n"
	      "  --cof-argv0=NAME   what the program finds as its own name\n"
	      "  --cof-exec=self|no  self: a program that executes itself anew is run\n"
	      "                     likewise (default); no: natively\n"
	      "  --cof-host=native  execute the program itself, and add libcof once it has\n"
	      "                     used some CPU time (option start_ms)\n"
	      "  --cof-load=LIB     load a shared library the program needs\n"
	      "  --cof-image=use|no|build  use: start from the program's native image; if\n"
	      "                     there is none, make it in the background (default);\n"
	      "                     build: make it now, do not run the program\n"
	      "  --cof-image-mb=N   all images together take at most N MB in the cache\n"
	      "                     (1024)\n"
	      "  --cof-startup      print on stderr how long each step to main() took\n"
	      "\n"
	      ".NET only:\n"
	      "  --cof-frames=keep|inline  keep: stack traces have all frames that mono\n"
	      "                     shows (default with --mono=--debug); inline: not those\n"
	      "                     of hot methods that are inlined (default)\n"
	      "  --mono=OPTION      an option of mono(1), as --mono=--debug\n"
	      "\n"
	      "The environment variable COF_OPTIONS may hold options too, COF_IMAGE the\n"
	      "value of --cof-image. The command line wins.\n"
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
	if (native_is_asked(argv, program) && host_for(*program) == HOST_LLVM)
		return native_execute(argv, program);
	host_become(host_for(*program), argv, program);
	return STATUS_PROGRAM;
}
