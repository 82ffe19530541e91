/*
 * llvm_pgo.c - run a bitcode program counted, and with its profile
 *
 *	llvm_pgo [OPTION...] PROGRAM [ARG...]
 *
 *	--count=FILE    all methods count; at the end their profiles go to FILE
 *	--use=FILE      methods that ran according to FILE are built with it,
 *	                hot ones as units, before main() begins
 *	--plain=FILE    methods that ran according to FILE, and are not built
 *	                yet, are built as they stand
 *	--stress=SEED   methods are instrumented, collected and built with their
 *	                profiles at random while the program runs
 *	--share=PERMIL  of the instructions run, in the hot methods (999)
 *	--group=N       methods in one unit (64)
 *	--time          print the time from main() to exit on stderr
 *	--inlined       print what was inlined, "inlined: F: G H", on stderr
 *
 * For development and tests: does on request what `runtime` does when it is
 * worth it. Exit status: the program's. Under
 * `valgrind --tool=callgrind --instr-atstart=no` only the program is counted.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION
#endif

#include "compile/build.h"
#include "count/count.h"
#include "exe/interpose.h"
#include "exe/command_line.h"
#include "exe/exec_self.h"
#include "exe/proc_self_exe.h"
#include "exe/stack.h"
#include "ir/body.h"
#include "ir/copy.h"
#include "module/callbacks.h"
#include "module/llvm.h"
#include "pgo_file.h"
#include "program/bitcode_check.h"
#include "program/program.h"
#include "support/fatal.h"

static struct cofl *host;
static struct cof_host callbacks;
static const char *count_to, *use_from, *plain_from;
static unsigned long stress, share = 999, group_size = 64;
static bool show_time, show_inlined;
static const int go_on;
static struct timespec begin, begin_thread;

static double since(clockid_t clock, const struct timespec *t0)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)(t.tv_sec - t0->tv_sec) +
	       (double)(t.tv_nsec - t0->tv_nsec) / 1e9;
}

static struct cofl_ir *gather(struct cofl_method *m)
{
	return callbacks.gather(host, m);
}

/* -- Counting -------------------------------------------------------------- */

static void add_version(struct cofl_method *m, struct cof_version_desc *desc)
{
	if (cof_version_add(m->method, desc) != 0)
		cofl_fatal("%s is not taken", m->name);
	atomic_store(&m->compiled, true);
}

static void instrument(struct cofl_method *m)
{
	struct cof_version_desc desc = { .size = sizeof(desc) };
	struct cofl_ir *ir = gather(m);

	if (ir == NULL)
		return;
	if (callbacks.instrument(host, ir, &go_on, &desc) == 0)
		add_version(m, &desc);
	callbacks.drop(host, ir);
}

/* Only this process writes the file; a child would overwrite it. */
static pid_t counting_pid;

static void at_end(void)
{
	FILE *f;

	if (show_time)
		fprintf(stderr, "llvm_pgo: %.3f s, of the process %.3f s\n",
			since(CLOCK_THREAD_CPUTIME_ID, &begin_thread),
			since(CLOCK_PROCESS_CPUTIME_ID, &begin));
	if (count_to == NULL || getpid() != counting_pid)
		return;
	f = fopen(count_to, "wb");
	if (f == NULL)
		cofl_fatal("%s: %s", count_to, strerror(errno));
	for (uint32_t i = 0; i < host->n_methods; i++)
		cofl_count_collect(&host->method[i]);
	pgo_file_save(host, f);
	fclose(f);
}

/* -- With profiles --------------------------------------------------------- */

struct ran {
	struct cofl_method *method;
	double              work;	/* instructions run */
};

static int most_first(const void *a, const void *b)
{
	const struct ran *x = a, *y = b;

	return x->work < y->work ? 1 : x->work > y->work ? -1 : 0;
}

static double work_of(struct cofl_method *m)
{
	struct cofl_body body;
	double work = 0;
	uint64_t *node;
	char why[256];
	LLVMValueRef f = cofl_build_body(m, host->copy, why, sizeof(why));

	cofl_body_read(&body, f);
	node = calloc(body.graph.n_nodes, sizeof(*node));
	cofl_graph_nodes(&body.graph, m->profile->edge, node);
	for (uint32_t b = 0; b < body.n_blocks; b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(body.block[b]);
		     i != NULL; i = LLVMGetNextInstruction(i))
			work += (double)node[b + 1];
	free(node);
	cofl_body_free(&body);
	return work;
}

/* List the methods that ran, the most work first. */
static size_t list_ran(struct ran *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];

		if (m->profile == NULL || cofl_profile_total(m->profile) == 0)
			continue;
		list[n++] = (struct ran){ m, work_of(m) };
	}
	qsort(list, n, sizeof(*list), most_first);
	return n;
}

static void build_plain(struct cofl_method *m)
{
	struct cofl_ir *ir = gather(m);
	struct cof_version_desc desc = { .size = sizeof(desc) };
	char why[256];

	if (ir == NULL)
		return;
	pthread_mutex_lock(&ir->copy->lock);
	if (cofl_build_module(host, ir->copy, COFL_DEFAULT, ir->alone, m->name,
			      COF_PLAN_STATIC, &desc, why, sizeof(why)) == 0)
		add_version(m, &desc);
	pthread_mutex_unlock(&ir->copy->lock);
	callbacks.drop(host, ir);
}

static void print_inlined(const struct cofl_method *m,
			  const struct cof_version_desc *desc)
{
	if (!show_inlined)
		return;
	fprintf(stderr, "inlined: %s:", m->name);
	for (size_t i = 0; i < desc->n_inlined; i++) {
		const struct cofl_method *in =
			cof_method_data(desc->inlined[i]);

		fprintf(stderr, " %s", in->name);
	}
	fputc('\n', stderr);
}

static void build_group(struct ran *list, size_t n)
{
	struct cof_version_desc *desc = calloc(n, sizeof(*desc));
	void **ir = calloc(n, sizeof(void *));
	struct cofl_method **m = calloc(n, sizeof(struct cofl_method *));
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		desc[i].size = sizeof(*desc);
		ir[k] = gather(list[i].method);
		m[k] = list[i].method;
		k += ir[k] != NULL;
	}
	if (k != 0 && callbacks.build_group(host, ir, k, COF_PLAN_PROFILE,
					    &go_on, desc) == 0)
		for (size_t i = 0; i < k; i++)
			if (desc[i].start != NULL) {
				print_inlined(m[i], &desc[i]);
				add_version(m[i], &desc[i]);
			}
	for (size_t i = 0; i < k; i++)
		callbacks.drop(host, ir[i]);
	free(desc);
	free(ir);
	free(m);
}

static void build_all(bool plain)
{
	struct ran *list = calloc(host->n_methods + 1, sizeof(*list));
	size_t n = list_ran(list), hot = 0;
	double all = 0, sum = 0;
	struct timespec t0;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t0);
	for (size_t i = 0; i < n; i++)
		all += list[i].work;
	while (!plain && hot < n && sum * 1000 < all * (double)share)
		sum += list[hot++].work;
	if (share == 1000)
		hot = plain ? 0 : n;
	for (size_t i = 0; i < hot; i += group_size)
		build_group(list + i,
			    hot - i < group_size ? hot - i : group_size);
	for (size_t i = 0; i < n; i++)
		if (!atomic_load(&list[i].method->compiled))
			build_plain(list[i].method);
	if (show_time)
		fprintf(stderr, "llvm_pgo: %zu ran, %zu hot, built in %.3f s\n",
			n, hot, since(CLOCK_THREAD_CPUTIME_ID, &t0));
	free(list);
}

/* -- At random ------------------------------------------------------------- */

static void *stress_run(void *arg)
{
	uint64_t state = stress;
	struct ran list[8];

	(void)arg;
	/* libc's malloc() opens a file when such a thread has freed much. */
	close_range(3, ~0u, CLOSE_RANGE_UNSHARE);
	for (;;) {
		size_t n = 0;
		struct timespec nap = { .tv_nsec = 1000000 };

		for (size_t i = 0; i < 8; i++) {
			struct cofl_method *m;

			state = state * 6364136223846793005u +
				1442695040888963407u;
			m = &host->method[(state >> 33) % host->n_methods];
			if (!atomic_load(&m->compiled) || m->pinned)
				continue;
			if (cofl_count_counted(m) == 0) {
				instrument(m);
				continue;
			}
			cofl_count_collect(m);
			for (size_t k = 0; k < n; k++)
				if (list[k].method == m)
					m = NULL;
			if (m != NULL)
				list[n++].method = m;
		}
		if (n != 0)
			build_group(list, n);
		nanosleep(&nap, NULL);
	}
	return NULL;
}

static void stress_start(void)
{
	if (cof_thread_create(stress_run, NULL) != 0)
		cofl_fatal("no thread");
}

/* -- Main ------------------------------------------------------------------ */

static bool read_option(const char *word)
{
	if (strncmp(word, "--count=", 8) == 0)
		count_to = word + 8;
	else if (strncmp(word, "--use=", 6) == 0)
		use_from = word + 6;
	else if (strncmp(word, "--plain=", 8) == 0)
		plain_from = word + 8;
	else if (strncmp(word, "--stress=", 9) == 0)
		stress = strtoul(word + 9, NULL, 10);
	else if (strncmp(word, "--share=", 8) == 0)
		share = strtoul(word + 8, NULL, 10);
	else if (strncmp(word, "--group=", 8) == 0)
		group_size = strtoul(word + 8, NULL, 10);
	else if (strcmp(word, "--time") == 0)
		show_time = true;
	else if (strcmp(word, "--inlined") == 0)
		show_inlined = true;
	else
		return false;
	return true;
}

static void log_line(const char *line)
{
	fprintf(stderr, "%s\n", line);
}

int main(int argc, char **argv, char **envp)
{
	static const char *const libraries[] = { "libm.so.6", "libgcc_s.so.1",
						 "libstdc++.so.6" };
	struct command_line line;
	char why[COFL_WHY_BYTES];

	/* Linked in, so that cofl_module_load() finds it in the executable. */
	if (cofl_module_llvm.open == NULL)
		return 2;
	/* The process that first reads bitcode without a checksum is this
	 * program, too (program/bitcode_check.h). */
	if (argc == 4 && strcmp(argv[1], "--cof-image=check") == 0)
		return cofl_bitcode_check_run(argv[3]);
	command_line_take(&line, argc, argv, envp);
	stack_raise();
	for (int i = 0; i < line.n_words; i++)
		if (!read_option(line.word[i]))
			return 2;
	if (line.program == NULL || group_size == 0)
		return 2;
	for (size_t k = 0; k < 3; k++)
		dlopen(libraries[k], RTLD_NOW | RTLD_GLOBAL);
	/* libcof reclaims, but builds nothing: it does not know ours. */
	host = cofl_program_open(&(struct cofl_settings){
		.path = line.program, .log = log_line, .image = COFL_IMAGE_NO,
		.options = stress ? "mode=co,build_pct=0,idle_ms=0" :
				    "mode=off",
	}, why);
	if (host == NULL) {
		fprintf(stderr, "llvm_pgo: %s\n", why);
		return 1;
	}
	cofl_callbacks(host, &callbacks);
	program_invocation_name = line.argv[0];
	program_invocation_short_name = basename(line.argv[0]);
	if (use_from != NULL) {
		pgo_file_load(host, use_from);
		build_all(false);
	}
	if (plain_from != NULL) {
		pgo_file_load(host, plain_from);
		build_all(true);
	}
	if (count_to != NULL)
		for (uint32_t k = 0; k < host->n_methods; k++)
			if (!host->method[k].pinned)
				instrument(&host->method[k]);
	if (stress != 0)
		stress_start();
	counting_pid = getpid();
	proc_self_exe_set(line.program);
	exec_self_set(line.program, NULL, 0, true);
	atexit(at_end);
	interpose_threads(host);
	CALLGRIND_START_INSTRUMENTATION;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin_thread);
	exit(cofl_program_main(host, line.argc, line.argv, line.envp));
}
