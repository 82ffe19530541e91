/*
 * runtime - run a program with continuous optimization
 *
 *	runtime [--cof=off|co] [options] PROGRAM [ARGS...]
 *
 * Reads the command line, finds the host that knows PROGRAM, and becomes it: exit
 * status, signals, standard streams and arguments are the program's own.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

#include "cof.h"
#include "cofl.h"
#include "interpose.h"

/* Statuses of runtime itself; once the program runs, it is the program's. */
enum { STATUS_PROGRAM = 1, STATUS_USAGE = 2 };

static struct cofl *host;
static bool show_startup;
static char options[4096];

static void usage(FILE *to)
{
	fputs("usage: runtime [--cof=off|co] [OPTION...] PROGRAM [ARG...]\n"
	      "\n"
	      "Run PROGRAM, linked LLVM bitcode, with continuous optimization.\n"
	      "\n"
	      "  --cof=off|co       off: as compiled at first; co: recompile what is hot\n"
	      "                     while it runs (default)\n"
	      "  --cof-verbose      say on stderr what is decided\n"
	      "  --cof-NAME=VALUE   any option that `cof-stats --options` lists\n"
	      "  --cof-options=LIST several: NAME=VALUE,NAME=VALUE\n"
	      "  --cof-load=LIB     load a shared library the program needs\n"
	      "  --cof-startup      print the time to main() on stderr\n"
	      "  --help, --version\n"
	      "\n"
	      "COF_OPTIONS in the environment holds options too; the command line wins.\n"
	      "Exit status: the program's; 1 if it cannot be run, 2 if used wrongly.\n",
	      to);
}

static void log_line(const char *line)
{
	fprintf(stderr, "%s\n", line);
}

static int bad_usage(const char *what, const char *about)
{
	fprintf(stderr, "runtime: %s%s; see runtime --help\n", what, about);
	return STATUS_USAGE;
}

static bool add_option(const char *option)
{
	size_t used = strlen(options), n = strlen(option);

	if (used + n + 2 > sizeof(options))
		return false;
	if (used != 0)
		options[used++] = ',';
	memcpy(options + used, option, n + 1);
	return true;
}

/* One word that begins with "--". 0, or an exit status. */
static int read_option(const char *word)
{
	if (strncmp(word, "--cof=", 6) == 0) {
		char mode[64];

		snprintf(mode, sizeof(mode), "mode=%.50s", word + 6);
		return add_option(mode) ? 0 : bad_usage("too long: ", word);
	}
	if (strcmp(word, "--cof-startup") == 0) {
		show_startup = true;
		return 0;
	}
	if (strncmp(word, "--cof-load=", 11) == 0) {
		if (dlopen(word + 11, RTLD_NOW | RTLD_GLOBAL) != NULL)
			return 0;
		fprintf(stderr, "runtime: %s\n", dlerror());
		return STATUS_PROGRAM;
	}
	if (strncmp(word, "--cof-options=", 14) == 0)
		return add_option(word + 14) ? 0 : bad_usage("too long: ", word);
	if (strncmp(word, "--cof-", 6) == 0)
		return add_option(word + 6) ? 0 : bad_usage("too long: ", word);
	return bad_usage("no option ", word);
}

/* Libraries a native program would have been linked with. */
static void load_libraries(void)
{
	static const char *const names[] = { "libm.so.6", "libgcc_s.so.1",
					     "libstdc++.so.6" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
}

/* Registered before the program's own, so it runs after them. */
static void on_exit_stop(void)
{
	cof_exit(cofl_cof(host));
}

static void name_process(char *path)
{
	char *slash = strrchr(path, '/');

	program_invocation_name = path;
	program_invocation_short_name = slash ? slash + 1 : path;
	prctl(PR_SET_NAME, program_invocation_short_name);
}

static void print_startup(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	fprintf(stderr, "startup_ns %lld\n",
		(long long)(now.tv_sec - begin->tv_sec) * 1000000000 +
		(now.tv_nsec - begin->tv_nsec));
}

int main(int argc, char **argv, char **envp)
{
	struct timespec begin;
	char why[COFL_WHY_BYTES];
	const char *program;
	int i, status;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 1; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--help") == 0) {
			usage(stdout);
			return 0;
		}
		if (strcmp(argv[i], "--version") == 0) {
			puts("runtime (libcof) " COF_VERSION_STRING);
			return 0;
		}
		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		status = read_option(argv[i]);
		if (status != 0)
			return status;
	}
	if (i >= argc)
		return bad_usage("no program", "");
	program = argv[i];
	if (access(program, R_OK) != 0) {
		fprintf(stderr, "runtime: %s: %s\n", program, strerror(errno));
		return STATUS_PROGRAM;
	}
	if (!cofl_is_bitcode(program)) {
		fprintf(stderr, "runtime: %s: not LLVM bitcode\n", program);
		return STATUS_PROGRAM;
	}
	load_libraries();
	host = cofl_open(program, options, log_line, why);
	if (host == NULL) {
		fprintf(stderr, "runtime: %s: %s\n", program, why);
		return STATUS_PROGRAM;
	}
	atexit(on_exit_stop);
	name_process(argv[i]);
	if (!interpose_threads(host)) {
		fprintf(stderr, "runtime: %s: no memory\n", program);
		return STATUS_PROGRAM;
	}
	if (show_startup)
		print_startup(&begin);
	exit(cofl_main(host, argc - i, argv + i, envp));
}
