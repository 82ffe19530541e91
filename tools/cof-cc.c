/*
 * cof-cc, cof-c++ - clang, with the program's bitcode left in what it makes
 *
 *	source --clang -emit-llvm--> bitcode --clang--> object, .cof.bc in it
 *	objects --clang, the linker--> executable; the linker joins .cof.bc
 *	executable --runtime--> one bitcode in .cof.bc, native image in the cache
 *
 * Which objects and members of archives are in a program is the linker's to say,
 * and it does, by what is in the section .cof.bc. Two steps to an object, so that
 * the bitcode is what its code was made from. The section is not clang's .llvmbc,
 * since ar(1) with a plugin for LTO takes objects that have one for bitcode.
 * Whatever is no compilation or link of this kind is clang's alone.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { STATUS_FAILED = 1 };

/* A command line that grows. */
struct words {
	char **word;
	size_t n, room;
};

static const char *me = "cof-cc";
static char scratch[PATH_MAX];	/* a folder for what is in between; "": none */

static void remove_scratch(void)
{
	static const char *const names[] = { "bc", "joined" };
	char path[PATH_MAX + 32];

	if (*scratch == '\0')
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", scratch, names[i]);
		unlink(path);
	}
	for (unsigned i = 0;; i++) {
		snprintf(path, sizeof(path), "%s/%u.o", scratch, i);
		if (unlink(path) != 0)
			break;
	}
	rmdir(scratch);
}

__attribute__((noreturn))
static void die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", me, what, strerror(errno));
	exit(STATUS_FAILED);
}

static char *copy_of(const char *s)
{
	char *copy = strdup(s);

	if (copy == NULL)
		die("memory");
	return copy;
}

static void add(struct words *to, const char *word)
{
	if (to->n + 1 >= to->room) {
		to->room = to->room ? 2 * to->room : 64;
		to->word = realloc(to->word, to->room * sizeof(*to->word));
		if (to->word == NULL)
			die("memory");
	}
	to->word[to->n++] = (char *)(uintptr_t)word;
	to->word[to->n] = NULL;
}

static void add_all(struct words *to, const struct words *from)
{
	for (size_t i = 0; i < from->n; i++)
		add(to, from->word[i]);
}

/* Its exit status; who is ended by a signal ends us as well. */
static int run(const struct words *command, bool quiet)
{
	posix_spawn_file_actions_t files;
	pid_t pid;
	int status, err;

	posix_spawn_file_actions_init(&files);
	if (quiet)
		posix_spawn_file_actions_addopen(&files, 2, "/dev/null",
						 O_WRONLY, 0);
	err = posix_spawnp(&pid, command->word[0], &files, NULL, command->word,
			   environ);
	posix_spawn_file_actions_destroy(&files);
	if (err != 0) {
		errno = err;
		die(command->word[0]);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			die("wait");
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_FAILED;
}

static const char *from_environment(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : otherwise;
}

/* -- The command line ------------------------------------------------------- */

struct line {
	const char  *clang;
	struct words all;	/* without the compiler */
	struct words options;	/* without inputs, -c, -o, and what is about
				 * dependencies */
	struct words about_deps;
	const char  *output;	/* of -o */
	const char  *dep_file;	/* of -MF */
	bool         dep_target;	/* -MT or -MQ */
	bool         deps;	/* -MD, -MMD */
	bool         compile;	/* -c */
	bool         library;	/* -shared, -r: what is linked is no program */
	bool         clangs;	/* nothing for us */
	unsigned     n_sources, n_inputs;
};

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* Options whose value is the next word. */
static bool takes_next(const char *word)
{
	static const char *const list[] = {
		"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-F", "-B", "-T", "-u",
		"-z", "-e", "-include", "-imacros", "-isystem", "-idirafter",
		"-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
		"-isysroot", "--sysroot", "-MF", "-MT", "-MQ", "-Xlinker",
		"-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm", "-target",
		"--param", "-arch", "-rpath", "-Xarch_host", "-gcc-toolchain",
		"-working-directory", "-dumpdir", NULL
	};

	return is_one_of(word, list);
}

/*
 * Not a matter of bitcode: nothing is compiled, nothing is made that runs, or
 * the code is not what its bitcode would run as.
 */
static bool is_clangs(const char *word)
{
	static const char *const whole[] = {
		"-E", "-S", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "-###",
		"-v", "--version", "--help", "-cc1", "-cc1as", "-save-temps",
		"--coverage", "-gsplit-dwarf", "-dumpmachine", "-dumpversion",
		"-static", "-static-pie", "-nostdlib", "-nostartfiles", "-m32",
		NULL
	};
	static const char *const begins[] = {
		"@", "-flto", "-fsanitize", "-fprofile-", "-fcs-profile-",
		"-print-", "--print-", "--analyze", "-save-temps=", "-emit-",
		"--target=", "-fembed-bitcode", "-ffat-lto", "-ftest-coverage",
		NULL
	};

	if (is_one_of(word, whole))
		return true;
	for (const char *const *b = begins; *b != NULL; b++)
		if (strncmp(word, *b, strlen(*b)) == 0)
			return true;
	return strcmp(word, "-") == 0;
}

static bool ends_with(const char *word, const char *const *list)
{
	const char *dot = strrchr(word, '.');

	return dot != NULL && is_one_of(dot, list);
}

/* A language that has bitcode, and one that the compiler assembles. */
static bool is_source(const char *word)
{
	static const char *const list[] = {
		".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C",
		".ii", NULL
	};

	return ends_with(word, list);
}

static bool is_assembly(const char *word)
{
	static const char *const list[] = { ".s", ".S", ".sx", NULL };

	return ends_with(word, list);
}

/* About dependencies: returns how many words, 0: it is not. */
static size_t about_deps(struct line *l, char *const *word)
{
	if (strcmp(*word, "-MD") == 0 || strcmp(*word, "-MMD") == 0) {
		l->deps = true;
		return 1;
	}
	if (strcmp(*word, "-MP") == 0 || strcmp(*word, "-MG") == 0)
		return 1;
	if (strncmp(*word, "-Wp,-MD,", 8) == 0 ||
	    strncmp(*word, "-Wp,-MMD,", 9) == 0) {
		l->deps = true;
		l->dep_file = strrchr(*word, ',') + 1;
		return 1;
	}
	if (strncmp(*word, "-MF", 3) == 0) {
		l->dep_file = (*word)[3] ? *word + 3 : word[1];
		return (*word)[3] ? 1 : 2;
	}
	if (strncmp(*word, "-MT", 3) == 0 || strncmp(*word, "-MQ", 3) == 0) {
		l->dep_target = true;
		return (*word)[3] ? 1 : 2;
	}
	return 0;
}

static void read_line(struct line *l, char **argv)
{
	for (char **word = argv; *word != NULL;) {
		size_t n = takes_next(*word) && word[1] != NULL ? 2 : 1;
		size_t deps = about_deps(l, word);

		if (deps > n || (n == 1 && takes_next(*word)))
			l->clangs = true;	/* clang will say why */
		for (size_t i = 0; i < n; i++)
			add(&l->all, word[i]);
		if (deps != 0) {
			for (size_t i = 0; i < n; i++)
				add(&l->about_deps, word[i]);
		} else if (n == 2 && strcmp(*word, "-o") == 0) {
			l->output = word[1];
		} else if (strncmp(*word, "-o", 2) == 0 && n == 1 &&
			   (*word)[2] != '\0' && strncmp(*word, "-obj", 4)) {
			l->output = *word + 2;
		} else if (strcmp(*word, "-c") == 0) {
			l->compile = true;
		} else if (**word != '-') {
			l->n_inputs++;
			l->n_sources += is_source(*word) || is_assembly(*word);
		} else {
			/* -x says what inputs are, whatever they are called. */
			l->clangs |= is_clangs(*word) ||
				     strncmp(*word, "-x", 2) == 0;
			l->library |= strcmp(*word, "-shared") == 0 ||
				      strcmp(*word, "-r") == 0;
			for (size_t i = 0; i < n; i++)
				add(&l->options, word[i]);
		}
		word += n;
	}
	if (l->n_inputs == 0 ||
	    (l->output != NULL && strncmp(l->output, "/dev/", 5) == 0))
		l->clangs = true;
}

/* -- Compile ---------------------------------------------------------------- */

static void make_scratch(void)
{
	const char *dir = from_environment("TMPDIR", "/tmp");

	if (*scratch != '\0')
		return;
	if (snprintf(scratch, sizeof(scratch), "%s/cof-cc.XXXXXX", dir) >=
	    (int)sizeof(scratch) || mkdtemp(scratch) == NULL) {
		*scratch = '\0';
		die(dir);
	}
	atexit(remove_scratch);
}

static char *in_scratch(const char *name)
{
	char path[PATH_MAX + 32];

	make_scratch();
	snprintf(path, sizeof(path), "%s/%s", scratch, name);
	return copy_of(path);
}

/* The dependency file is called after the object, and names it. */
static void add_deps(struct words *to, const struct line *l, const char *object)
{
	char *file, *dot, *slash;

	add_all(to, &l->about_deps);
	if (!l->deps)
		return;
	if (l->dep_file == NULL) {
		file = malloc(strlen(object) + 3);
		if (file == NULL)
			die("memory");
		strcpy(file, object);
		dot = strrchr(file, '.');
		slash = strrchr(file, '/');
		if (dot != NULL && (slash == NULL || dot > slash))
			*dot = '\0';
		strcat(file, ".d");
		add(to, "-MF");
		add(to, file);
	}
	if (!l->dep_target) {
		add(to, "-MQ");
		add(to, object);
	}
}

/* clang alone makes the object. `named`: what a dependency file calls it. */
static int compile_plainly(const struct line *l, const char *source,
			   const char *object, const char *named)
{
	struct words command = { 0 };

	add(&command, l->clang);
	add_all(&command, &l->options);
	if (!l->compile)
		add(&command, "-Qunused-arguments");
	add_deps(&command, l, named);
	add(&command, "-c");
	add(&command, source);
	add(&command, "-o");
	add(&command, object);
	return run(&command, false);
}

static bool change_section(const char *how, const char *bitcode,
			   const char *file)
{
	struct words command = { 0 };
	char section[PATH_MAX + 64];

	snprintf(section, sizeof(section), ".cof.bc=%s", bitcode);
	add(&command, from_environment("COF_OBJCOPY", "objcopy"));
	add(&command, how);
	add(&command, section);
	add(&command, file);
	return run(&command, false) == 0;
}

static int compile(const struct line *l, const char *source, const char *object,
		   const char *named)
{
	struct words first = { 0 }, second = { 0 };
	char *bitcode = in_scratch("bc");
	int status;

	if (is_assembly(source))
		return compile_plainly(l, source, object, named);
	add(&first, l->clang);
	add_all(&first, &l->options);
	if (!l->compile)	/* what is for linking is not used now */
		add(&first, "-Qunused-arguments");
	add_deps(&first, l, named);
	add(&first, "-c");
	add(&first, "-emit-llvm");
	add(&first, source);
	add(&first, "-o");
	add(&first, bitcode);
	status = run(&first, false);
	if (status != 0)
		return status;
	add(&second, l->clang);
	add_all(&second, &l->options);
	add(&second, "-Qunused-arguments");
	add(&second, "-w");
	add(&second, "-Xclang");
	add(&second, "-disable-llvm-passes");
	add(&second, "-c");
	add(&second, "-x");
	add(&second, "ir");
	add(&second, bitcode);
	add(&second, "-o");
	add(&second, object);
	if (run(&second, true) == 0 &&
	    change_section("--add-section", bitcode, object))
		return 0;
	return compile_plainly(l, source, object, named);
}

/* What clang would call it. */
static char *object_name(const char *source)
{
	const char *base = strrchr(source, '/');
	char *name = copy_of(base != NULL ? base + 1 : source);

	strcpy(strrchr(name, '.'), ".o");	/* a suffix of one letter or more */
	return name;
}

static bool is_input(char *const *word, size_t *n)
{
	*n = takes_next(*word) && word[1] != NULL ? 2 : 1;
	return *n == 1 && **word != '-';
}

static int compile_only(const struct line *l)
{
	int status = 0;
	size_t n;

	for (char **word = l->all.word; *word != NULL && status == 0; word += n) {
		const char *object;

		if (!is_input(word, &n))
			continue;
		object = l->output ? l->output : object_name(*word);
		status = compile(l, *word, object, object);
	}
	return status;
}

/* -- Link ------------------------------------------------------------------- */

/* `runtime`, next to us, where it is installed, or where it was built. */
static char *find_runtime(void)
{
	static const char *const places[] = { "/runtime", "/runtime/runtime",
					      "/../runtime/runtime" };
	const char *said = getenv("COF_RUNTIME");
	char dir[PATH_MAX], path[PATH_MAX + 32];
	ssize_t n = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	struct stat st;

	if (said != NULL && *said != '\0')
		return copy_of(said);
	dir[n > 0 ? n : 0] = '\0';
	if (strrchr(dir, '/') != NULL)
		*strrchr(dir, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s%s", dir, places[i]);
		if (stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		    access(path, X_OK) == 0)
			return copy_of(path);
	}
	return copy_of(BINDIR "/runtime");
}

/*
 * Make one bitcode of all in the program, and its image. If that cannot be done
 * the program is an ordinary one, which is said, since it was asked for more.
 */
static void finish(const char *program)
{
	struct words command = { 0 };
	char *runtime = find_runtime(), *joined = in_scratch("joined");
	char write[PATH_MAX + 64];

	snprintf(write, sizeof(write), "--cof-write-bitcode=%s", joined);
	add(&command, runtime);
	add(&command, write);
	add(&command, "--");
	add(&command, program);
	if (run(&command, false) != 0)
		return;
	if (!change_section("--update-section", joined, program))
		return;
	if (strcmp(from_environment("COF_IMAGE", "use"), "no") == 0)
		return;
	command.n = 0;
	add(&command, runtime);
	add(&command, "--cof-image=build");
	add(&command, "--");
	add(&command, program);
	run(&command, true);
}

static int link_program(const struct line *l)
{
	struct words command = { 0 };
	const char *program = l->output ? l->output : "a.out";
	unsigned n_objects = 0;
	char name[32];
	int status;
	size_t n;

	add(&command, l->clang);
	for (char **word = l->all.word; *word != NULL; word += n) {
		char *object;

		if (!is_input(word, &n) ||
		    !(is_source(*word) || is_assembly(*word))) {
			for (size_t i = 0; i < n; i++)
				add(&command, word[i]);
			continue;
		}
		snprintf(name, sizeof(name), "%u.o", n_objects++);
		object = in_scratch(name);
		status = compile(l, *word, object, program);
		if (status != 0)
			return status;
		add(&command, object);
	}
	if (n_objects != 0)	/* what was for compiling is not used now */
		add(&command, "-Qunused-arguments");
	status = run(&command, false);
	if (status == 0 && !l->library)
		finish(program);
	return status;
}

int main(int argc, char **argv)
{
	struct line line = { 0 };
	struct words command = { 0 };
	const char *base = strrchr(argv[0], '/');

	(void)argc;
	me = base != NULL ? base + 1 : argv[0];
	line.clang = strstr(me, "++") != NULL ?
		     from_environment("COF_CLANGXX", CLANGXX) :
		     from_environment("COF_CLANG", CLANG);
	read_line(&line, argv + 1);
	if (!line.clangs && line.compile && line.n_sources == line.n_inputs)
		return compile_only(&line);
	if (!line.clangs && !line.compile)
		return link_program(&line);
	add(&command, line.clang);
	add_all(&command, &line.all);
	execvp(command.word[0], command.word);
	die(command.word[0]);
}
