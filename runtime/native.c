/*
 * native.c - read the options, look at the program, execute it; see native.h
 */
#include "native.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/executable.h"
#include "preload/handover.h"

#define LIBRARY "libcof-preload.so"

enum { STATUS_PROGRAM = 1, STATUS_USAGE = 2 };

struct words {
	char        options[4096];	/* libcof's, with commas between */
	char        loads[4096];	/* libraries, each with ':' before */
	char        exec;
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

/* Each takes the text after the option's name. 0, or an exit status. */

static int set_mode(struct words *w, const char *mode)
{
	return add_option(w, "mode=", mode) ? 0 :
					      bad_usage("too long: ", mode);
}

static int set_options(struct words *w, const char *words)
{
	return add_option(w, "", words) ? 0 : bad_usage("too long: ", words);
}

static int set_exec(struct words *w, const char *word)
{
	bool self = strcmp(word, "self") == 0;

	w->exec = self ? HANDOVER_EXEC_SELF : HANDOVER_EXEC_NO;
	return self || strcmp(word, "no") == 0 ? 0 :
	       bad_usage("exec is self or no, and not ", word);
}

static int set_load(struct words *w, const char *path)
{
	return append(w->loads, sizeof(w->loads), ':', "", path) ? 0 :
	       bad_usage("too long: ", path);
}

static int set_name(struct words *w, const char *name)
{
	w->name = name;
	return 0;
}

static int set_nothing(struct words *w, const char *word)
{
	(void)w;
	(void)word;
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
	{ "--cof-host=",    set_nothing },
	{ "--cof-image",    set_nothing },	/* there are none */
	{ "--cof-startup",  set_nothing },
	{ "--cof-argv0=",   set_name },
	{ "--cof-load=",    set_load },
	{ "--cof-exec=",    set_exec },
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

bool native_is_asked(char *const argv[], char *const *program)
{
	static const char option[] = "--cof-host=";
	bool is = false;

	for (char *const *word = argv + 1; word < program; word++)
		if (strncmp(*word, option, sizeof(option) - 1) == 0)
			is = strcmp(*word + sizeof(option) - 1, "native") == 0;
	return is;
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
		list = strchr(list, ',');
		list += list != NULL;
	}
	return off;
}

/* -- The environment ------------------------------------------------------- */

/* The library in the build that this program lies in, or the installed one. */
static const char *find_library(char path[PATH_MAX])
{
	static const char here[] = "/runtime/runtime";
	static const char lib[] = "/.libs/" LIBRARY;
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 1);
	size_t top = (size_t)n - (sizeof(here) - 1);

	if (n < (ssize_t)sizeof(here) - 1 ||
	    memcmp(path + top, here, sizeof(here) - 1) != 0 ||
	    top + sizeof(lib) > PATH_MAX)
		return PKGLIBDIR "/" LIBRARY;
	strcpy(path + top, lib);
	return access(path, R_OK) == 0 ? path : PKGLIBDIR "/" LIBRARY;
}

/* NULL: no memory. */
static char **environment(const struct words *w, const char *library,
			  const char *program)
{
	size_t n = handover_count(environ);
	char **envp = calloc(n + HANDOVER_STRINGS + 1, sizeof(*envp));
	char *libraries;

	if (envp == NULL || asprintf(&libraries, "%s%s", library, w->loads) < 0)
		return NULL;
	memcpy(envp, environ, n * sizeof(*envp));
	envp[n] = malloc(handover_first_bytes(environ, libraries));
	envp[n + 1] = malloc(handover_second_bytes(w->options, program));
	if (envp[n] == NULL || envp[n + 1] == NULL)
		return NULL;
	handover_first(envp[n], environ, libraries);
	handover_second(envp[n + 1], w->exec, w->options, program);
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

int native_execute(char **argv, char **program)
{
	struct words w = { .exec = HANDOVER_EXEC_SELF };
	char *file = *program, built[PATH_MAX], why[200] = "";
	const char *library = find_library(built), *refused;
	int status = read_options(&w, argv, program);
	char **envp = NULL;
	bool may;

	if (status != 0)
		return status;
	if (w.name != NULL)
		*program = (char *)w.name;
	if (is_off(w.options, is_off(getenv("COF_OPTIONS"), false))) {
		execve(file, program, environ);
		goto failed;
	}
	may = executable_has_addresses(file, why, sizeof(why));
	refused = refuse_library(library);
	if (may && refused != NULL)
		snprintf(why, sizeof(why), "%s", refused);
	if (may && refused == NULL) {
		envp = environment(&w, library, file);
		if (envp != NULL)
			execve(file, program, envp);
		snprintf(why, sizeof(why), "%s",
			 envp == NULL ? "no memory" : strerror(errno));
		if (envp != NULL && errno != E2BIG)
			goto failed;
	}
	if (*why != '\0')
		fprintf(stderr, "runtime: %s: running as it was compiled: %s\n",
			file, why);
	execve(file, program, environ);
failed:
	fprintf(stderr, "runtime: %s: %s\n", file, strerror(errno));
	return STATUS_PROGRAM;
}
