/*
 * cof-stats.c - what libcof does in a process: counters, methods and phases
 *
 *	arguments -> find.c -> reader.c -> print_summary.c, print_text.c
 *	                                   print_json.c, list.c, watch.c
 *
 * The stats file is all it needs. The process does nothing for it, so a busy, a
 * stopped and a crashed process can be shown alike.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cof.h"
#include "print_summary.h"
#include "find.h"
#include "list.h"
#include "options/opts.h"
#include "print_json.h"
#include "print_text.h"
#include "reader.h"
#include "watch.h"
#include "why/why.h"

enum status { STATUS_OK = 0, STATUS_NO = 1, STATUS_USAGE = 2 };

struct args {
	bool        list, json, all, watch;
	uint64_t    period_ns;
	const char *dir;		/* NULL: everywhere */
	const char *why;		/* the program; NULL: not asked */
	const char *history;		/* its history; NULL: the default */
};

static const char help[] =
"usage: cof-stats [--all | --json] [--watch[=SECONDS]] [--dir=DIR] PID\n"
"       cof-stats --list [--json] [--dir=DIR]\n"
"       cof-stats --why=PROGRAM [--json] [--history=PATH]\n"
"       cof-stats --options | --help | --version\n"
"\n"
"Show what libcof does in a process that embeds it: whether it is on, whether\n"
"it helps, what it costs, and what it gave up.\n"
"\n"
"  PID               a process; PID.N: its further instances of libcof; or the\n"
"                    path of a stats file\n"
"  --all             every counter and table\n"
"  --watch[=SECONDS] look again every SECONDS (1); with --all, show the counters\n"
"                    that are not zero and their rates per second\n"
"  --json            every counter and table, as one JSON object a look, each on\n"
"                    one line\n"
"  --list            your processes that have a stats file\n"
"  --dir=DIR         look for stats files in DIR only (option stats=DIR)\n"
"  --why=PROGRAM     what mode auto will do with PROGRAM, a path or a name, and\n"
"                    the earlier runs that it decides by\n"
"  --history=PATH    the file that remembers these runs (option history=PATH)\n"
"  --options         the options of libcof, for COF_OPTIONS and cof_start()\n"
"  --help, --version\n"
"\n"
"Exit status: 0; 1 no such process, no libcof in it, no readable stats file,\n"
"or no such program; 2 wrong usage. See cof-stats(1).\n";

static int usage(const char *what, const char *arg)
{
	fprintf(stderr, "cof-stats: %s%s; see cof-stats --help\n", what, arg);
	return STATUS_USAGE;
}

/* Between 10 ms and a day. */
static bool parse_seconds(const char *s, uint64_t *ns)
{
	char *end;
	double v;

	if (*s < '0' || *s > '9')
		return false;
	v = strtod(s, &end);
	if (*end != '\0' || !(v >= 0.01 && v <= 86400))
		return false;
	*ns = (uint64_t)(v * 1e9);
	return true;
}

/* The exit status, once everything printed has been written. */
static int finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "cof-stats: cannot write: %s\n", strerror(errno));
	return STATUS_NO;
}

static void look_json(FILE *to, const struct reader *r,
		      const struct reader *before)
{
	(void)before;
	print_json(to, r);
}

static void look_all(FILE *to, const struct reader *r,
		      const struct reader *before)
{
	(void)before;
	print_text(to, r);
}

static watch_print printer(const struct args *a)
{
	if (a->json)
		return look_json;
	if (!a->all)
		return print_summary;
	return a->watch ? print_text_rates : look_all;
}

static int show(const struct args *a, const char *arg)
{
	char why[READER_WHY] = "";
	struct reader r;
	int fd = find_open(arg, a->dir, why), err;

	if (fd == -2)
		return usage("neither a PID nor a path with a '/': ", arg);
	if (fd < 0) {
		fprintf(stderr, "cof-stats: %s: %s\n", arg, why);
		return STATUS_NO;
	}
	if (a->watch) {
		err = watch_run(fd, stdout, a->period_ns, printer(a), a->json,
				why);
	} else {
		err = reader_read(&r, fd, why);
		if (err == 0) {
			printer(a)(stdout, &r, NULL);
			reader_free(&r);
		}
	}
	close(fd);
	if (err != 0 && why[0] != '\0') {
		fflush(stdout);
		fprintf(stderr, "cof-stats: %s: the stats file %s\n", arg, why);
		return STATUS_NO;
	}
	return finish(STATUS_OK);
}

/* "history=PATH" as an option of libcof: "," and "\" are escaped. */
static bool history_option(const char *path, char *buf, size_t bytes)
{
	size_t n = (size_t)snprintf(buf, bytes, "history=");

	for (; *path != '\0' && n + 3 < bytes; path++) {
		if (*path == ',' || *path == '\\')
			buf[n++] = '\\';
		buf[n++] = *path;
	}
	buf[n] = '\0';
	return *path == '\0';
}

static int show_why(const struct args *a)
{
	char why[WHY_TEXT], option[2 * COF_OPT_STR_MAX + 16];

	if (a->history != NULL &&
	    (strlen(a->history) >= COF_OPT_STR_MAX ||
	     !history_option(a->history, option, sizeof(option))))
		return usage("too long a path: ", a->history);
	if (why_print(stdout, a->why, a->history ? option : NULL, a->json,
		      why) != 0) {
		fprintf(stderr, "cof-stats: %s: %s\n", a->why, why);
		return STATUS_NO;
	}
	return finish(STATUS_OK);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "watch", optional_argument, NULL, 'w' },
		{ "json", no_argument, NULL, 'j' },
		{ "list", no_argument, NULL, 'l' },
		{ "dir", required_argument, NULL, 'd' },
		{ "options", no_argument, NULL, 'o' },
		{ "why", required_argument, NULL, 'y' },
		{ "history", required_argument, NULL, 'H' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'v' },
		{ 0 },
	};
	struct args a = { .period_ns = 1000000000u };
	char why[READER_WHY];
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":", options, NULL)) != -1) {
		switch (c) {
		case 'w':
			a.watch = true;
			if (optarg && !parse_seconds(optarg, &a.period_ns))
				return usage("not a number of seconds from "
					     "0.01 to 86400: ", optarg);
			break;
		case 'a':
			a.all = true;
			break;
		case 'j':
			a.json = true;
			break;
		case 'l':
			a.list = true;
			break;
		case 'd':
			a.dir = optarg;
			break;
		case 'y':
			a.why = optarg;
			break;
		case 'H':
			a.history = optarg;
			break;
		case 'o':
			cof_opts_help(stdout);
			return finish(STATUS_OK);
		case 'h':
			fputs(help, stdout);
			return finish(STATUS_OK);
		case 'v':
			printf("cof-stats %s\n", COF_VERSION_STRING);
			return finish(STATUS_OK);
		default:
			return usage("wrong option or argument: ",
				     argv[optind - 1]);
		}
	}
	if (a.all && a.json)
		return usage("--all and --json exclude each other", "");
	if (a.list) {
		if (a.watch || optind < argc)
			return usage("--list takes no PID and no --watch", "");
		if (!find_may_look(a.dir, why)) {
			fprintf(stderr, "cof-stats: %s: %s\n", a.dir, why);
			return STATUS_NO;
		}
		list_print(stdout, a.dir, a.json);
		return finish(STATUS_OK);
	}
	if (a.why) {
		if (a.watch || optind < argc)
			return usage("--why takes no PID and no --watch", "");
		return show_why(&a);
	}
	if (argc - optind != 1)
		return usage("one PID or stats file is wanted", "");
	return show(&a, argv[optind]);
}
