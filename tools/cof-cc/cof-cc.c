/*
 * cof-cc.c - cof-cc and cof-c++: clang, whose output contains the bitcode
 *
 *	source --clang with a plug-in--> object, its bitcode in .cof.bc
 *	objects --clang, the linker--> executable; the linker joins .cof.bc,
 *		and notes its decisions in .debug.cof
 *	executable --cof-join--> one bitcode in .cof.bc
 *
 * - clang gets the command line as it is, and the plug-in (plugin.cpp).
 * - The linker decides which objects and members of archives are in a program.
 *   The section .cof.bc has their bitcode.
 * - The section is not clang's .llvmbc: ar(1) with a plugin for LTO would take
 *   an object that has one for bitcode.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hosts/llvm/support/linkage.h"
#include "hosts/llvm/support/native_points.h"
#include "hosts/llvm/support/record.h"
#include "hosts/llvm/support/section.h"
#include "cc_line.h"
#include "command.h"
#include "executable.h"
#include "link.h"
#include "strip.h"

/*
 * Find a file that belongs to this program: beside it at one of the `places`,
 * where it is built, or else where it is installed.
 */
static char *find(const char *const *places, const char *installed)
{
	char dir[PATH_MAX], path[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	struct stat st;

	dir[n > 0 ? n : 0] = '\0';
	if (strrchr(dir, '/') != NULL)
		*strrchr(dir, '/') = '\0';
	for (; *places != NULL; places++) {
		snprintf(path, sizeof(path), "%s%s", dir, *places);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			return command_copy_of(path);
	}
	return command_copy_of(installed);
}

/* -- Compile --------------------------------------------------------------- */

/* Have clang call the plug-in. */
static void add_plugin(struct words *to, const struct cc_line *l)
{
	static const char *const places[] = { "/.libs/cof-cc-plugin.so", NULL };
	char *path = find(places, PKGLIBDIR "/cof-cc-plugin.so");
	char word[PATH_MAX + 64];

	snprintf(word, sizeof(word), "-fpass-plugin=%s", path);
	command_add(to, command_copy_of(word));
	unsetenv(COFL_RECORD_ENV);
	if (l->instrumented != NULL &&
	    setenv(COFL_RECORD_ENV, l->instrumented, 1) != 0)
		command_die("memory");
}

/* -- Link ------------------------------------------------------------------ */

static char *find_join(void)
{
	static const char *const places[] = {
		"/hosts/llvm/join/cof-join", "/../hosts/llvm/join/cof-join",
		NULL
	};

	return find(places, PKGLIBEXECDIR "/cof-join");
}

/* Run objcopy(1) on the file. */
static bool change(struct words *command, const char *file)
{
	command_add(command, file);
	return command_run(command) == 0;
}

static void add_strip(struct words *command, enum strip strip)
{
	if (strip == STRIP_ALL)
		command_add(command, "--strip-all");
	else if (strip == STRIP_DEBUG)
		command_add(command, "--strip-debug");
}

/* Put a section .cof.bc into the program. What the linker decided is in it, and
 * needed no more. */
static bool change_section(const char *how, const char *contents,
			   const char *file, enum strip strip)
{
	struct words command = { 0 };
	char section[PATH_MAX + 64];

	snprintf(section, sizeof(section), COFL_SECTION_BITCODE "=%s",
		 contents);
	COMMAND_ADD(&command, command_env("COF_OBJCOPY", "objcopy"), how,
		    section, "--remove-section", COFL_SECTION_LINKAGE,
		    "--remove-section", COFL_SECTION_POINTS);
	/* Aligned, so that `runtime` can use it where it lies in the file. For
	 * a section that is added this does nothing. */
	COMMAND_ADD(&command, "--set-section-alignment",
		    COFL_SECTION_BITCODE "=8");
	add_strip(&command, strip);
	return change(&command, file);
}

/* Store in the program why it has no bitcode, for `runtime` to say. */
static void note(const char *program, const struct executable *e,
		 const char *reason, enum strip strip)
{
	const char *path = command_scratch();
	size_t n = strlen(reason);
	struct cofl_record r;
	FILE *f = fopen(path, "w");

	cofl_record_make(&r, COFL_RECORD_LEFT_OUT, reason, n);
	if (f == NULL || fwrite(&r, sizeof(r), 1, f) != 1 ||
	    fwrite(reason, 1, n, f) != n || fclose(f) != 0)
		command_die(path);
	change_section(e->has_section ? "--update-section" : "--add-section",
		       path, program, strip);
}

/* Print what is refused, by the records in a file. */
static void say_refused(const char *program, const char *path)
{
	FILE *f = fopen(path, "r");
	struct cofl_record r;
	char reason[512];

	if (f == NULL)
		return;
	while (fread(&r, sizeof(r), 1, f) == 1 &&
	       (r.kind != COFL_RECORD_REFUSED || r.bytes >= sizeof(reason)))
		fseek(f, (long)((r.bytes + 7) / 8 * 8), SEEK_CUR);
	if (!feof(f) && fread(reason, 1, r.bytes, f) == r.bytes)
		fprintf(stderr, "%s: %s: it will run as it was compiled: "
			"%.*s\n", command_me, program, (int)r.bytes, reason);
	fclose(f);
}

/* Join the objects' bitcode, as the linker joined their code. */
static bool join(const char *program, enum strip strip)
{
	const char *joined = command_scratch();
	struct words command = { 0 };
	int status;

	/* Memory in large pages takes a twentieth off cof-join's time. What
	 * the user has set stays. */
	setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
	COMMAND_ADD(&command, find_join(), program, joined);
	status = command_run(&command);
	if (status != STATUS_REFUSED && status != 0)
		return false;
	say_refused(program, joined);
	return change_section("--update-section", joined, program, strip);
}

static void strip_alone(const char *file, enum strip strip)
{
	struct words command = { 0 };

	if (strip == STRIP_NOTHING)
		return;
	command_add(&command, command_env("COF_OBJCOPY", "objcopy"));
	add_strip(&command, strip);
	change(&command, file);
}

/*
 * If what the linker made is a program, join its bitcode. If that fails, the
 * program is an ordinary one, and the failed command has printed why.
 */
static void finish(const struct cc_line *l, enum strip strip)
{
	const char *program = l->output != NULL ? l->output : "a.out";
	struct executable e;
	const char *reason;

	executable_read(&e, program);
	/* objcopy(1) may put a file in its place. */
	if (!e.is_file)
		return;
	reason = l->instrumented != NULL ? l->instrumented :
		 l->linked != NULL ? l->linked :
		 e.is_static ? "-static" : NULL;
	if (e.is_program && reason != NULL) {
		note(program, &e, reason, strip);
		return;
	}
	if (!e.is_program || e.n_bitcode == 0 ||
	    !join(program, strip))
		strip_alone(program, strip);
}

/* Behind clang's lines: configure scripts look at the first. */
static int say_version(const struct words *clang)
{
	int status = command_run(clang);

	if (status == 0)
		printf("%s (libcof) %s\n", command_me, PACKAGE_VERSION);
	return status;
}

int main(int argc, char **argv)
{
	struct words command = { 0 };
	const char *base = strrchr(argv[0], '/');
	enum strip strip = STRIP_NOTHING;
	struct cc_line line;
	int status;

	(void)argc;
	command_me = base != NULL ? base + 1 : argv[0];
	command_add(&command, strstr(command_me, "++") != NULL ?
			      command_env("COF_CLANGXX", CLANGXX) :
			      command_env("COF_CLANG", CLANG));
	cc_line_read(&line, argv + 1);
	if (line.makes == CC_LINE_PROGRAM)
		strip = strip_take(&command, argv + 1);
	else
		command_add_list(&command, (const char *const *)argv + 1);
	if (line.makes != CC_LINE_OTHER)
		add_plugin(&command, &line);
	if (line.version)
		return say_version(&command);
	if (line.makes != CC_LINE_PROGRAM) {
		execvp(command.word[0], command.word);
		command_die(command.word[0]);
	}
	status = link_run(&command, &line);
	command_failed = status;
	if (status == 0)
		finish(&line, strip);
	return status;
}
