/*
 * native.c - read the options, look at the program, execute it; see native.h
 */
#include "native.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "bitcode.h"
#include "inherited_filter.h"
#include "options/opts.h"
#include "place.h"
#include "preload/executable.h"
#include "preload/handover.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010u	/* Linux 6.3 */
#endif

enum { STATUS_PROGRAM = 1, STATUS_USAGE = 2 };

struct words {
	char        options[4096];	/* libcof's, with commas between */
	char        loads[4096];	/* libraries, each with ':' before */
	char        exec;
	bool        finish;
	const char *name;		/* NULL: the program's path */
};

static int bad_usage(const char *what, const char *about)
{
	fprintf(stderr, "runtime: %s%s; see runtime --help\n", what, about);
	return STATUS_USAGE;
}

/* -- Options --------------------------------------------------------------- */

static bool append(char *to, size_t bytes, char between, const char *before,
		   const char *text)
{
	size_t used = strlen(to);
	int n = snprintf(to + used, bytes - used, "%.*s%s%s",
			 used > 0 || between == ':', &between, before, text);

	return n >= 0 && (size_t)n < bytes - used;
}

static bool add_option(struct words *w, const char *before, const char *text)
{
	return strchr(text, HANDOVER_BETWEEN) == NULL &&
	       append(w->options, sizeof(w->options), ',', before, text);
}

/* The next option would be part of it. */
static bool ends_in_escape(const char *words)
{
	size_t n = strlen(words), at = n;

	while (at > 0 && words[at - 1] == '\\')
		at--;
	return (n - at) % 2 != 0;
}

/* Each takes the text after the option's name. 0, or an exit status. */

static int set_mode(struct words *w, const char *mode)
{
	if (ends_in_escape(mode))
		return bad_usage("no mode: ", mode);
	return add_option(w, "mode=", mode) ? 0 :
					      bad_usage("too long: ", mode);
}

static int set_options(struct words *w, const char *words)
{
	if (ends_in_escape(words))
		return bad_usage("a \\ at the end: ", words);
	return add_option(w, "", words) ? 0 : bad_usage("too long: ", words);
}

static int set_exec(struct words *w, const char *word)
{
	bool self = strcmp(word, "self") == 0;

	w->exec = self ? HANDOVER_EXEC_SELF : HANDOVER_EXEC_NO;
	return self || strcmp(word, "no") == 0 ? 0 :
	       bad_usage("exec is self or no, and not ", word);
}

/* A prefix of no other option. */
static int set_finish(struct words *w, const char *rest)
{
	if (*rest != '\0')
		return bad_usage("--cof-finish takes no value: ", rest);
	w->finish = true;
	return set_options(w, "finish");
}

/* One with a folder by its whole path: the program may go elsewhere, and
 * execute itself there. */
static int set_load(struct words *w, const char *path)
{
	char whole[PATH_MAX];

	if (strchr(path, '/') != NULL && realpath(path, whole) != NULL)
		path = whole;
	return append(w->loads, sizeof(w->loads), ':', "", path) ? 0 :
	       bad_usage("too long: ", path);
}

static int set_name(struct words *w, const char *name)
{
	w->name = name;
	return 0;
}

static int refuse_mono(struct words *w, const char *word)
{
	(void)w;
	return bad_usage("for .NET programs only: --mono=", word);
}

/* The first match counts. */
static const struct option {
	const char *name;
	int (*take)(struct words *w, const char *rest);
} known[] = {
	{ "--cof=",         set_mode },
	{ "--cof-argv0=",   set_name },
	{ "--cof-load=",    set_load },
	{ "--cof-exec=",    set_exec },
	{ "--cof-finish",   set_finish },
	{ "--cof-options=", set_options },
	{ "--cof-",         set_options },	/* one of libcof's */
	{ "--mono=",        refuse_mono },
};

static int read_option(struct words *w, const char *word)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t n = strlen(known[i].name);

		if (strncmp(word, known[i].name, n) == 0)
			return known[i].take(w, word + n);
	}
	return bad_usage("no option ", word);
}

static int read_options(struct words *w, char *const argv[],
			char *const *program)
{
	for (char *const *word = argv + 1; word < program; word++) {
		int status = strcmp(*word, "--") == 0 ? 0 :
			     read_option(w, *word);

		if (status != 0)
			return status;
	}
	return 0;
}

/* As the host will, once it is opened; a user learns of a wrong word now. */
static int check_options(const char *list, const char *where)
{
	struct cof_opts opts;
	char why[200];

	cof_opts_init(&opts);
	if (list == NULL || cof_opts_parse(&opts, list, why, sizeof(why)) == 0)
		return 0;
	fprintf(stderr, "runtime: %s%s\n", where, why);
	return STATUS_USAGE;
}

/* The last mode of a list of options; before if there is none. */
static bool is_off(const char *list, bool before)
{
	static const char name[] = "mode=";
	bool off = before;

	while (list != NULL && *list != '\0') {
		const char *value = list + sizeof(name) - 1;

		if (strncmp(list, name, sizeof(name) - 1) == 0)
			off = strncmp(value, "off", 3) == 0 &&
			      (value[3] == ',' || value[3] == '\0');
		for (; *list != '\0' && *list != ','; list++)
			list += *list == '\\' && list[1] != '\0';
		list += *list == ',';
	}
	return off;
}

/* -- The environment ------------------------------------------------------- */

/* NULL: no memory. */
static char **environment(const struct words *w, const char *library,
			  const char *program, const char *how)
{
	size_t n = handover_count(environ);
	char **envp = calloc(n + HANDOVER_STRINGS + 1, sizeof(*envp));
	char *libraries, own[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	const struct handover_words words = {
		how, w->options, own, program,
	};

	own[length > 0 ? length : 0] = '\0';
	if (envp == NULL || asprintf(&libraries, "%s%s", library, w->loads) < 0)
		return NULL;
	memcpy(envp, environ, n * sizeof(*envp));
	envp[n] = malloc(handover_first_bytes(environ, libraries));
	envp[n + 1] = malloc(handover_second_bytes(&words));
	if (envp[n] == NULL || envp[n + 1] == NULL)
		return NULL;
	handover_first(envp[n], environ, libraries);
	handover_second(envp[n + 1], &words);
	return envp;
}

/* Why the library cannot be named to the dynamic linker; NULL: it can. */
static const char *refuse_library(const char *library)
{
	if (access(library, R_OK) != 0)
		return "libcof was built without the host for it";
	return strpbrk(library, ": ") == NULL ? NULL :
	       "libcof lies in a folder whose name has a colon or a blank";
}

/* -- Executing ------------------------------------------------------------- */

/* What is executed: `file`, or what was linked from it. */
struct image {
	const char *file;
	int         fd;		/* -1: it is the file itself */
	bool        off;
};

static void start(const struct image *im, char **argv, char **envp)
{
	if (im->fd >= 0)
		execveat(im->fd, "", argv, envp, AT_EMPTY_PATH);
	else
		execve(im->file, argv, envp);
}

/* How the library is to take part. */
static void say_how(const struct image *im, const struct words *w, char how[5])
{
	*how++ = w->exec;
	if (im->fd >= 0)
		*how++ = HANDOVER_LINKED;
	if (im->off)
		*how++ = HANDOVER_OFF;
	if (w->finish)
		*how++ = HANDOVER_FINISH;
	*how = '\0';
}

/* Returns if that fails. `why`: the reason to start without; "": there is
 * none to tell, or starting without will fail as well. */
static void start_with_library(const struct image *im, const struct words *w,
			       char **argv, char *why, size_t why_bytes)
{
	char built[PATH_MAX], path[32], how[5];
	const char *library = place_of(PLACE_PRELOAD, built), *refused;
	char **envp;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", im->fd);
	if (!im->off && !executable_has_addresses(im->fd >= 0 ? path : im->file,
						  why, why_bytes))
		return;
	if (!im->off && inherited_filter_kills(why, why_bytes))
		return;
	refused = refuse_library(library);
	if (refused != NULL) {
		snprintf(why, why_bytes, "%s", refused);
		return;
	}
	say_how(im, w, how);
	envp = environment(w, library, im->file, how);
	if (envp != NULL)
		start(im, argv, envp);
	if (envp == NULL || errno == E2BIG)
		snprintf(why, why_bytes, "%s",
			 envp == NULL ? "no memory" : strerror(errno));
}

/* False: it is not to be had; a line said why. */
static bool open_image(struct image *im, const struct words *w,
		       const char *file)
{
	*im = (struct image){ .file = file, .fd = -1 };
	im->off = is_off(w->options, is_off(getenv("COF_OPTIONS"), false));
	if (!bitcode_is(file))
		return true;
	im->fd = bitcode_open(file, w->loads);
	return im->fd >= 0;
}

/* An empty file without a name, which may be executed. */
static int memory_file(void)
{
	int fd = memfd_create("finish", MFD_CLOEXEC | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)	/* a kernel before MFD_EXEC */
		fd = memfd_create("finish", MFD_CLOEXEC);
	return fd;
}

/* The kernel lets nobody write to a file that is executed, and the user may be
 * about to build the program anew. -1: there is no copy. */
static int copy_of(const char *file)
{
	int from = access(file, X_OK) == 0 ? open(file, O_RDONLY | O_CLOEXEC) :
					     -1;
	int fd = from >= 0 ? memory_file() : -1;
	ssize_t n = fd >= 0 ? 1 : -1;

	while (n > 0)
		n = sendfile(fd, from, NULL, (size_t)1 << 30);
	if (from >= 0)
		close(from);
	if (n == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Returns if it cannot be. */
static int finish(struct image *im, const struct words *w, char **program,
		  const char *file)
{
	const char *refused = "mode off builds nothing";
	char why[200] = "";

	if (!im->off) {
		if (im->fd < 0)
			im->fd = copy_of(file);
		start_with_library(im, w, program, why, sizeof(why));
		if (*why != '\0')
			refused = why;
		else
			refused = access(file, X_OK) != 0 ? strerror(errno) :
							    "it is no program";
	}
	fprintf(stderr, "runtime: %s: nothing is built: %s\n", file, refused);
	return STATUS_PROGRAM;
}

int native_execute(char **argv, char **program)
{
	struct words w = { .exec = HANDOVER_EXEC_SELF };
	char *file = *program, why[200] = "";
	int status = read_options(&w, argv, program);
	struct image im;

	if (status == 0)
		status = check_options(getenv("COF_OPTIONS"), "COF_OPTIONS: ");
	if (status == 0)
		status = check_options(w.options, "");
	if (status != 0)
		return status;
	if (w.name != NULL)
		*program = (char *)w.name;
	if (!open_image(&im, &w, file))
		return STATUS_PROGRAM;
	if (w.finish)
		return finish(&im, &w, program, file);
	/* What was linked is to look as if it were the file. */
	if (!im.off || im.fd >= 0)
		start_with_library(&im, &w, program, why, sizeof(why));
	if (*why != '\0' && access(file, X_OK) == 0)
		fprintf(stderr, "runtime: %s: running as it was compiled: %s\n",
			file, why);
	start(&im, program, environ);
	fprintf(stderr, "runtime: %s: %s\n", file, strerror(errno));
	return STATUS_PROGRAM;
}
