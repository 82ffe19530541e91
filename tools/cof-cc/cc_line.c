/*
 * cc_line.c - read a compiler's command line
 *
 * It understands only what decides whether cof-cc has anything to do. clang
 * gets the line as it is.
 */
#include "cc_line.h"

#include <stddef.h>
#include <string.h>

#include "response.h"

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

static bool begins_as_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strncmp(word, *list, strlen(*list)) == 0)
			return true;
	return false;
}

/* Options whose value is the next word. */
static bool takes_next(const char *word)
{
	static const char *const list[] = {
		"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-F", "-B", "-T",
		"-u", "-z", "-e", "-include", "-imacros", "-isystem",
		"-idirafter", "--output", "--include", "--include-directory",
		"-iquote", "-iprefix", "-iwithprefix", "-iwithprefixbefore",
		"-isysroot", "--sysroot", "-MF", "-MT", "-MQ", "-Xlinker",
		"-Xclang", "-Xpreprocessor", "-Xassembler", "-mllvm", "-target",
		"--param", "-arch", "-rpath", "-Xarch_host", "-gcc-toolchain",
		"-working-directory", "-dumpdir", NULL
	};

	return is_one_of(word, list);
}

/* Options with which clang makes no code, or only says something. */
static bool makes_no_code(const char *word)
{
	static const char *const whole[] = {
		"-E", "-S", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "-###",
		"--version", "--help", "-cc1", "-cc1as", "--analyze",
		"-dumpmachine", "-dumpversion", "--preprocess", "--assemble",
		"--precompile", NULL
	};
	static const char *const begins[] = {
		"-print-", "--print-", "-emit-", "--help-", NULL
	};

	return is_one_of(word, whole) || begins_as_one_of(word, begins);
}

/* Options with which clang makes other code than its bitcode would run as. */
static bool instruments(const char *word)
{
	static const char *const whole[] = {
		"--coverage", "-coverage", "-p", "-pg", "-femulated-tls", NULL
	};
	static const char *const begins[] = {
		"-fsanitize=", "-fprofile-generate", "-fprofile-arcs",
		"-fprofile-instr-generate", "-fcs-profile-generate",
		"-ftest-coverage", "-fcoverage-mapping", NULL
	};

	return is_one_of(word, whole) || begins_as_one_of(word, begins);
}

/* Options with which code is made when the program is linked, or the program
 * does not begin in main(). */
static bool links_otherwise(const char *word)
{
	static const char *const whole[] = {
		"-nostdlib", "-nostartfiles", NULL
	};
	static const char *const begins[] = {
		"-flto", "-fembed-bitcode", NULL
	};

	return is_one_of(word, whole) || begins_as_one_of(word, begins);
}

/* Words that the linker reads are inputs too, as clang counts. */
static bool is_input(const char *word)
{
	static const char *const begins[] = { "-l", "-Wl,", "-Xlinker", NULL };

	return *word != '-' || word[1] == '\0' ||
	       begins_as_one_of(word, begins);
}

static void read_output(struct cc_line *l, const char *word, const char *next)
{
	if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0)
		l->output = next;
	else if (strncmp(word, "--output=", 9) == 0)
		l->output = word + 9;
	else if (strncmp(word, "-o", 2) == 0 && strncmp(word, "-obj", 4) != 0)
		l->output = word + 2;
}

void cc_line_read(struct cc_line *l, char *const *argv)
{
	bool compiles = false, other = false, inputs = false;
	struct words line = { 0 };

	*l = (struct cc_line){ .makes = CC_LINE_OTHER };
	if (!response_expand(&line, argv))
		return;			/* clang will say why */
	for (size_t i = 0; i < line.n; i++) {
		const char *word = line.word[i];

		inputs |= is_input(word);
		other |= makes_no_code(word);
		l->version |= strcmp(word, "--version") == 0;
		l->discards |= strstr(word, "-gc-sections") != NULL;
		compiles |= strcmp(word, "-c") == 0 ||
			    strcmp(word, "--compile") == 0;
		if (l->instrumented == NULL && instruments(word))
			l->instrumented = word;
		if (l->linked == NULL && links_otherwise(word))
			l->linked = word;
		read_output(l, word, line.word[i + 1]);
		if (takes_next(word) && i + 1 < line.n)
			l->discards |= strstr(line.word[++i],
					      "-gc-sections") != NULL;
	}
	if (inputs && !other)
		l->makes = compiles ? CC_LINE_OBJECTS : CC_LINE_PROGRAM;
}
