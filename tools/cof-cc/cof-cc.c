/*
 * cof-cc.c - cof-cc and cof-c++: clang, whose output contains the bitcode
 *
 *	source --clang -emit-llvm--> bitcode --clang--> object, .cof.bc in it
 *	objects --clang, the linker--> executable; the linker joins .cof.bc
 *	executable --runtime--> one bitcode in .cof.bc, image in the cache
 *
 * - The linker decides which objects and members of archives are in a program.
 *   The section .cof.bc has their bitcode.
 * - An object is made in two steps, so that its code comes from its bitcode.
 * - The section is not clang's .llvmbc: ar(1) with a plugin for LTO would take
 *   an object that has one for bitcode.
 * - Any other use of the compiler is left to clang.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hosts/llvm/support/section.h"
#include "cc_line.h"
#include "command.h"

/* -- Compile --------------------------------------------------------------- */

/* By default the dependency file has the object's name, and names it as the
 * target. */
static void add_deps(struct words *to, const struct cc_line *l,
		     const char *object)
{
	char *file, *dot, *slash;

	command_add_all(to, &l->about_deps);
	if (!l->deps)
		return;
	if (l->dep_file == NULL) {
		file = malloc(strlen(object) + 3);
		if (file == NULL)
			command_die("memory");
		strcpy(file, object);
		dot = strrchr(file, '.');
		slash = strrchr(file, '/');
		if (dot != NULL && (slash == NULL || dot > slash))
			*dot = '\0';
		strcat(file, ".d");
		COMMAND_ADD(to, "-MF", file);
	}
	if (!l->dep_target) {
		COMMAND_ADD(to, "-MQ", object);
	}
}

/* Make the object with clang alone. `named`: its name in the dependency
 * file. */
static int compile_plainly(const struct cc_line *l, const char *source,
			   const char *object, const char *named)
{
	struct words command = { 0 };

	command_add(&command, l->clang);
	command_add_all(&command, &l->options);
	if (!l->compile)
		command_add(&command, "-Qunused-arguments");
	add_deps(&command, l, named);
	COMMAND_ADD(&command, "-c", source, "-o", object);
	return command_run(&command, false);
}

static bool change_section(const char *how, const char *bitcode,
			   const char *file)
{
	struct words command = { 0 };
	char section[PATH_MAX + 64];

	snprintf(section, sizeof(section), COFL_SECTION_BITCODE "=%s", bitcode);
	COMMAND_ADD(&command, command_env("COF_OBJCOPY", "objcopy"), how,
		    section);
	/* Aligned, so that `runtime` can use it where it lies in the file. For
	 * a section that is added this does nothing. */
	COMMAND_ADD(&command, "--set-section-alignment",
		    COFL_SECTION_BITCODE "=8", file);
	return command_run(&command, false) == 0;
}

static int compile(const struct cc_line *l, const char *source,
		   const char *object, const char *named)
{
	struct words first = { 0 }, second = { 0 };
	char *bitcode = command_scratch("bc");
	int status;

	if (cc_line_is_assembly(source))
		return compile_plainly(l, source, object, named);
	command_add(&first, l->clang);
	command_add_all(&first, &l->options);
	if (!l->compile)	/* options for linking are not used now */
		command_add(&first, "-Qunused-arguments");
	add_deps(&first, l, named);
	COMMAND_ADD(&first, "-c", "-emit-llvm", source, "-o", bitcode);
	status = command_run(&first, false);
	if (status != 0)
		return status;
	command_add(&second, l->clang);
	command_add_all(&second, &l->options);
	COMMAND_ADD(&second, "-Qunused-arguments", "-w", "-Xclang",
		    "-disable-llvm-passes", "-c", "-x", "ir", bitcode, "-o",
		    object);
	if (command_run(&second, true) == 0 &&
	    change_section("--add-section", bitcode, object))
		return 0;
	return compile_plainly(l, source, object, named);
}

/* The name clang would give the object. */
static char *object_name(const char *source)
{
	const char *base = strrchr(source, '/');
	char *name = command_copy_of(base != NULL ? base + 1 : source);

	strcpy(strrchr(name, '.'), ".o");	/* a suffix has a letter */
	return name;
}

static int compile_only(const struct cc_line *l)
{
	int status = 0;
	size_t n;

	for (char **word = l->all.word; *word && status == 0; word += n) {
		const char *object;

		if (!cc_line_is_input(word, &n))
			continue;
		object = l->output ? l->output : object_name(*word);
		status = compile(l, *word, object, object);
	}
	return status;
}

/* -- Link ------------------------------------------------------------------ */

/* Find `runtime`: beside this program, where it was built, or where it is
 * installed. */
static char *find_runtime(void)
{
	static const char *const places[] = { "/runtime", "/runtime/runtime",
					      "/../runtime/runtime" };
	const char *said = getenv("COF_RUNTIME");
	char dir[PATH_MAX], path[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	struct stat st;

	if (said != NULL && *said != '\0')
		return command_copy_of(said);
	dir[n > 0 ? n : 0] = '\0';
	if (strrchr(dir, '/') != NULL)
		*strrchr(dir, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s%s", dir, places[i]);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(path, X_OK) == 0)
			return command_copy_of(path);
	}
	return command_copy_of(BINDIR "/runtime");
}

/* A link waits so long for the image. Small programs have theirs by then, and
 * large ones do not hold up a build. */
#define WAIT_S 10

enum { IMAGE_NO = -2, IMAGE_WAIT = -1, IMAGE_BACKGROUND = 0 };
static int image = WAIT_S;	/* one of these, or seconds */

static void choose_image(void)
{
	const char *word = command_env("COF_CC_IMAGE", "");

	if (strcmp(command_env("COF_IMAGE", "use"), "no") == 0 ||
	    strcmp(word, "no") == 0) {
		image = IMAGE_NO;
	} else if (strcmp(word, "wait") == 0) {
		image = IMAGE_WAIT;
	} else if (strcmp(word, "background") == 0) {
		image = IMAGE_BACKGROUND;
	} else if (*word != '\0') {
		fprintf(stderr, "%s: COF_CC_IMAGE is wait, background or no, "
			"and not %s\n", command_me, word);
		exit(STATUS_FAILED);
	}
}

/*
 * Join the program's bitcode, and make its image. If that fails, the program is
 * an ordinary one, and the failed command has printed why.
 */
static void finish(const char *program)
{
	struct words command = { 0 };
	char *runtime = find_runtime(), *joined = command_scratch("joined");
	char write[PATH_MAX + 64];

	snprintf(write, sizeof(write), "--cof-write-bitcode=%s", joined);
	COMMAND_ADD(&command, runtime, write, "--", program);
	if (command_run(&command, false) != 0)
		return;
	if (!change_section("--update-section", joined, program))
		return;
	if (image == IMAGE_NO)
		return;
	command.n = 0;
	COMMAND_ADD(&command, runtime, "--cof-image=build", "--", program);
	if (!command_run_aside(&command, image) && image != IMAGE_BACKGROUND)
		fprintf(stderr, "%s: %s: its native image is still being made, "
			"in the background\n", command_me, program);
}

static int link_program(const struct cc_line *l)
{
	struct words command = { 0 };
	const char *program = l->output ? l->output : "a.out";
	unsigned n_objects = 0;
	char name[32];
	int status;
	size_t n;

	command_add(&command, l->clang);
	for (char **word = l->all.word; *word != NULL; word += n) {
		char *object;

		if (!cc_line_is_input(word, &n) ||
		    !(cc_line_is_source(*word) || cc_line_is_assembly(*word))) {
			for (size_t i = 0; i < n; i++)
				command_add(&command, word[i]);
			continue;
		}
		snprintf(name, sizeof(name), "%u.o", n_objects++);
		object = command_scratch(name);
		status = compile(l, *word, object, program);
		if (status != 0)
			return status;
		command_add(&command, object);
	}
	if (n_objects != 0)	/* options for compiling are not used now */
		command_add(&command, "-Qunused-arguments");
	status = command_run(&command, false);
	if (status == 0 && !l->library)
		finish(program);
	return status;
}

int main(int argc, char **argv)
{
	struct cc_line line = { 0 };
	struct words command = { 0 };
	const char *base = strrchr(argv[0], '/');

	(void)argc;
	command_me = base != NULL ? base + 1 : argv[0];
	choose_image();
	line.clang = strstr(command_me, "++") != NULL ?
		     command_env("COF_CLANGXX", CLANGXX) :
		     command_env("COF_CLANG", CLANG);
	cc_line_read(&line, argv + 1);
	if (!line.clangs && line.compile && line.n_sources == line.n_inputs)
		return compile_only(&line);
	if (!line.clangs && !line.compile)
		return link_program(&line);
	command_add(&command, line.clang);
	command_add_all(&command, &line.all);
	execvp(command.word[0], command.word);
	command_die(command.word[0]);
}
