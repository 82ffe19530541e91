/*
 * cc_line.c - read a compiler's command line
 *
 * It understands only what decides: what is compiled, to which file, and
 * whether cof-cc has anything to do. Every other word goes to clang unchanged.
 */
#include <string.h>

#include "cc_line.h"

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
		"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-F", "-B", "-T",
		"-u", "-z", "-e", "-include", "-imacros", "-isystem",
		"-idirafter",
		"-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
		"-isysroot", "--sysroot", "-MF", "-MT", "-MQ", "-Xlinker",
		"-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm", "-target",
		"--param", "-arch", "-rpath", "-Xarch_host", "-gcc-toolchain",
		"-working-directory", "-dumpdir", NULL
	};

	return is_one_of(word, list);
}

/*
 * Options with which cof-cc leaves everything to clang: clang compiles nothing,
 * makes nothing that runs, or makes other code than its bitcode would run as.
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

bool cc_line_is_source(const char *word)
{
	static const char *const list[] = {
		".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C",
		".ii", NULL
	};

	return ends_with(word, list);
}

bool cc_line_is_assembly(const char *word)
{
	static const char *const list[] = { ".s", ".S", ".sx", NULL };

	return ends_with(word, list);
}

/* Read an option about dependencies. Returns how many words it has; 0: it is
 * none. */
static size_t about_deps(struct cc_line *l, char *const *word)
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

void cc_line_read(struct cc_line *l, char **argv)
{
	for (char **word = argv; *word != NULL;) {
		size_t n = takes_next(*word) && word[1] != NULL ? 2 : 1;
		size_t deps = about_deps(l, word);

		if (deps > n || (n == 1 && takes_next(*word)))
			l->clangs = true;	/* clang will say why */
		for (size_t i = 0; i < n; i++)
			command_add(&l->all, word[i]);
		if (deps != 0) {
			for (size_t i = 0; i < n; i++)
				command_add(&l->about_deps, word[i]);
		} else if (n == 2 && strcmp(*word, "-o") == 0) {
			l->output = word[1];
		} else if (strncmp(*word, "-o", 2) == 0 && n == 1 &&
			   (*word)[2] != '\0' &&
			   strncmp(*word, "-obj", 4) != 0) {
			l->output = *word + 2;
		} else if (strcmp(*word, "-c") == 0) {
			l->compile = true;
		} else if (**word != '-') {
			l->n_inputs++;
			l->n_sources += cc_line_is_source(*word) ||
					cc_line_is_assembly(*word);
		} else {
			/* -x gives the language of inputs, whatever their
			 * name. */
			l->clangs |= is_clangs(*word) ||
				     strncmp(*word, "-x", 2) == 0;
			l->library |= strcmp(*word, "-shared") == 0 ||
				      strcmp(*word, "-r") == 0;
			for (size_t i = 0; i < n; i++)
				command_add(&l->options, word[i]);
		}
		word += n;
	}
	if (l->n_inputs == 0 ||
	    (l->output != NULL && strncmp(l->output, "/dev/", 5) == 0))
		l->clangs = true;
}

bool cc_line_is_input(char *const *word, size_t *n)
{
	*n = takes_next(*word) && word[1] != NULL ? 2 : 1;
	return *n == 1 && **word != '-';
}
