/*
 * main.c - cof-llvm: run a program of LLVM bitcode with continuous optimization
 *
 *	cof-llvm [--cof...] PROGRAM [ARG...]
 *
 * `runtime` executes this, and this becomes the program: exit status, signals,
 * standard streams and arguments are the program's own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cof.h"
#include "exe/code_writes.h"
#include "exe/command_line.h"
#include "exe/exec_self.h"
#include "exe/interpose.h"
#include "exe/proc_self_exe.h"
#include "exe/stack.h"
#include "exe/syscall.h"
#include "image/image_launch.h"
#include "malloc/allocator.h"
#include "program/bitcode_check.h"
#include "program/prepare.h"
#include "program/program.h"
#include "support/cache_dir.h"
#include "support/maker.h"
#include "support/memory_reserve.h"
#include "support/startup.h"
#include "support/tuning.h"

/* Statuses of runtime itself; once the program runs, it is the program's. The
 * last is for cof-cc: the record that was written says what is refused. */
enum { STATUS_PROGRAM = 1, STATUS_USAGE = 2, STATUS_REFUSED = 3 };

static struct cofl *host;
static bool has_threads;	/* interpose_threads() had memory */
static bool show_startup;
static char options[4096];

/* What to do with images: words of --cof-image, in the order of image_words. */
enum image { IMAGE_USE, IMAGE_NO, IMAGE_BUILD, IMAGE_LAUNCHED, IMAGE_CHECK };
static const char *const image_words[] = { "use", "no", "build", "launched",
					   "check" };
static enum image image;
static unsigned long image_mb = 1024;
static const char *image_of;	/* NULL: of whatever the program is */
static const char *write_bitcode;
static bool exec_self = true;	/* as exec_self_set() takes it */

/* Not by a stream: the program may be using it without its lock
 * (support/single_threaded.h). */
static void log_line(const char *line)
{
	struct iovec parts[] = {
		{ (char *)(uintptr_t)line, strlen(line) },
		{ (char[]){ '\n' }, 1 },
	};

	/* A failure cannot be reported. */
	if (writev(STDERR_FILENO, parts, 2) < 0)
		return;
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

/* -- Options --------------------------------------------------------------- */

/* Each takes the text after the option's name. 0, or an exit status. */

static int set_mode(const char *mode)
{
	char option[64];

	snprintf(option, sizeof(option), "mode=%.50s", mode);
	return add_option(option) ? 0 : bad_usage("too long: ", mode);
}

static int set_startup(const char *nothing)
{
	(void)nothing;
	show_startup = true;
	return 0;
}

static bool find_image(const char *word)
{
	size_t n = sizeof(image_words) / sizeof(*image_words);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(word, image_words[i]) == 0) {
			image = (enum image)i;
			return true;
		}
	}
	return false;
}

static int set_image(const char *word)
{
	return find_image(word) ? 0 :
	       bad_usage("image is use, no or build, and not ", word);
}

static int set_image_mb(const char *word)
{
	char *end;

	errno = 0;
	image_mb = strtoul(word, &end, 10);
	return *word >= '0' && *word <= '9' && *end == '\0' && errno == 0 &&
	       image_mb <= 1ul << 30 ? 0 : bad_usage("no size: ", word);
}

static int set_image_of(const char *hex)
{
	image_of = hex;
	return 0;
}

static int set_write_bitcode(const char *path)
{
	write_bitcode = path;
	return 0;
}

static int set_exec(const char *word)
{
	exec_self = strcmp(word, "self") == 0;
	return exec_self || strcmp(word, "no") == 0 ? 0 :
	       bad_usage("exec is self or no, and not ", word);
}

static int load_library(const char *path)
{
	if (dlopen(path, RTLD_NOW | RTLD_GLOBAL) != NULL)
		return 0;
	fprintf(stderr, "runtime: %s\n", dlerror());
	return STATUS_PROGRAM;
}

static int set_options(const char *words)
{
	return add_option(words) ? 0 : bad_usage("too long: ", words);
}

static int refuse_mono(const char *word)
{
	return bad_usage("for .NET programs only: --mono=", word);
}

/* The first match counts. */
static const struct option {
	const char *name;
	enum { IS, BEGINS } match;
	int (*take)(const char *rest);
} known[] = {
	{ "--cof=",               BEGINS, set_mode },
	{ "--cof-startup",        IS,     set_startup },
	{ "--cof-image=",         BEGINS, set_image },
	{ "--cof-image-mb=",      BEGINS, set_image_mb },
	{ COFL_IMAGE_OF,          BEGINS, set_image_of },
	{ "--cof-write-bitcode=", BEGINS, set_write_bitcode },
	{ "--cof-load=",          BEGINS, load_library },
	{ "--cof-exec=",          BEGINS, set_exec },
	{ "--cof-options=",       BEGINS, set_options },
	{ "--cof-",               BEGINS, set_options }, /* one of libcof's */
	{ "--mono=",              BEGINS, refuse_mono },
};

/* One word that begins with "--". 0, or an exit status. */
static int read_option(const char *word)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t n = strlen(known[i].name);

		if (strncmp(word, known[i].name, n) == 0 &&
		    (known[i].match == BEGINS || word[n] == '\0'))
			return known[i].take(word + n);
	}
	return bad_usage("no option ", word);
}

/* -- The program ----------------------------------------------------------- */

/* The libraries that a native program would be linked with. */
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
	cof_exit(cofl_program_cof(host));
	cofl_maker_leave();
}

/* No thread of the program is left: one may have left libc's locks held. */
static void on_left_alone(void *ctx, int status)
{
	(void)ctx;
	cofl_maker_leave();
	_exit(syscall_exit_status(status));
}

static char *base_name(char *path)
{
	char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* The kernel's name is the file's, libc's the first argument. */
static void name_process(const struct command_line *line)
{
	prctl(PR_SET_NAME, base_name(line->program));
	if (line->argc == 0)
		return;
	program_invocation_name = line->argv[0];
	program_invocation_short_name = base_name(line->argv[0]);
}

/* Runs before constructors of libraries, which may start threads and
 * allocate. */
static void on_bound(struct cofl *opened,
		     uintptr_t (*find)(void *ctx, const char *name), void *ctx)
{
	allocator_bound(find, ctx);
	has_threads = interpose_threads(opened);
}

/* Make the image, write the bitcode or check it, in place of a run. */
static int without_running(const char *program)
{
	char why[COFL_WHY_BYTES];
	int err;

	if (image == IMAGE_CHECK)
		return cofl_bitcode_check_run(program);
	cof_compile_enter();
	signal(SIGXFSZ, SIG_IGN);	/* too large an image is not stored */
	if (image == IMAGE_LAUNCHED)
		cofl_maker_begin();
	err = write_bitcode != NULL ?
	      cofl_prepare_bitcode(program, write_bitcode, why) :
	      cofl_prepare_image(program, image_of, image_mb,
			      image == IMAGE_LAUNCHED ? 0 : -1, why);
	if (err != 0 && (write_bitcode == NULL || err < 0))
		fprintf(stderr, "runtime: %s: %s\n", program, why);
	if (write_bitcode != NULL && err > 0)
		return STATUS_REFUSED;
	return err != 0 ? STATUS_PROGRAM : 0;
}

/* The line says why nothing is optimized. Returns only if it cannot be
 * executed. */
static void run_natively(const struct command_line *line, const char *why)
{
	const char *program = line->program;

	fprintf(stderr, "runtime: %s: running as it was compiled: %s\n",
		program, why);
	execve(program, line->argv, line->envp);
	fprintf(stderr, "runtime: %s: %s\n", program, strerror(errno));
}

int main(int argc, char **argv, char **envp)
{
	struct command_line line;
	const char *word, *program;
	char why[COFL_WHY_BYTES];
	bool runs_natively = false;

	cofl_startup_begin();
	command_line_take(&line, argc, argv, envp);
	program = line.program;
	cofl_cache_dir_begin();
	word = secure_getenv("COF_IMAGE");
	if (cofl_tuning_begin(why, sizeof(why)) != 0) {
		fprintf(stderr, "runtime: %s\n", why);
		return STATUS_USAGE;
	}
	if (word != NULL && !find_image(word))
		return bad_usage("COF_IMAGE is use, no or build, and not ",
				 word);
	cofl_memory_reserve_begin();
	for (int i = 0; i < line.n_words; i++) {
		int status = read_option(line.word[i]);

		if (status != 0)
			return status;
	}
	if (program == NULL)
		return bad_usage("no program", "");
	if (access(program, R_OK) != 0) {
		fprintf(stderr, "runtime: %s: %s\n", program, strerror(errno));
		return STATUS_PROGRAM;
	}
	cofl_startup_part(COFL_STARTUP_LIBRARIES);
	load_libraries();
	cofl_startup_part(COFL_STARTUP_REST);
	if (write_bitcode != NULL || image > IMAGE_NO)
		return without_running(program);
	host = cofl_program_open(&(struct cofl_settings){
		.path = program, .options = options, .log = log_line,
		.image = image == IMAGE_NO ? COFL_IMAGE_NO : COFL_IMAGE_USE,
		.image_mb = image_mb, .bound = on_bound,
		.left_alone = on_left_alone, .runs_natively = &runs_natively,
	}, why);
	if (host == NULL && runs_natively) {
		run_natively(&line, why);
		return STATUS_PROGRAM;
	}
	if (host == NULL) {
		fprintf(stderr, "runtime: %s: %s\n", program, why);
		return STATUS_PROGRAM;
	}
	atexit(on_exit_stop);
	proc_self_exe_set(program);
	at_quick_exit(on_exit_stop);
	name_process(&line);
	stack_raise();
	syscall_init(host);
	code_writes_init(host);
	if (!has_threads ||
	    !exec_self_set(program, line.word, line.n_words, exec_self)) {
		fprintf(stderr, "runtime: %s: no memory\n", program);
		return STATUS_PROGRAM;
	}
	cofl_startup_end(show_startup ? stderr : NULL);
	exit(cofl_program_main(host, line.argc, line.argv, line.envp));
}
