/*
 * stressed.c - libcof-native.so with a thread that, at random, instruments
 * methods, collects their counts and builds them with their profiles
 *
 * It takes the place of libcof-native.so beside a copy of libcof-preload.so
 * (e2e_pgo.sh). libcof reclaims code meanwhile, but builds nothing. Every
 * function of the program is a candidate, hot or not. Variables:
 *
 *	COF_STRESSED_SEED  of the random choices
 *	COF_STRESSED_FILE  to which a line "inlined: F: G H" is written for
 *			   each build, and at the end "built N"
 */
#include "native/native.h"

#include <linux/close_range.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>

#include "preload/services.h"

static cofl_native_open_fn open_native;

#define cofl_native_open open_native
#include "native/native.c"
#undef cofl_native_open

enum { GROUP = 8 };	/* methods built at a time, at most */

static struct cof_host llvm;	/* what LLVM does */
static uint64_t state;
static const char *file;	/* NULL: nothing is written */
static _Atomic unsigned long n_built;
static const int go_on;

static uint32_t draw(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

static void add_version(struct cofl_method *m, struct cof_version_desc *desc)
{
	if (cof_version_add(m->method, desc) == 0)
		atomic_fetch_add(&n_built, 1);
}

static void instrument(struct cofl_method *m, void *ir)
{
	struct cof_version_desc desc = { .size = sizeof(desc) };

	if (llvm.instrument(host, ir, &go_on, &desc) == 0)
		add_version(m, &desc);
	llvm.drop(host, ir);
}

/* Opened for each line: threads of libcof's have descriptors of their own. */
__attribute__((format(printf, 1, 2)))
static void say(const char *format, ...)
{
	FILE *to = file != NULL ? fopen(file, "ae") : NULL;
	va_list ap;

	if (to == NULL)
		return;
	va_start(ap, format);
	vfprintf(to, format, ap);
	va_end(ap);
	fclose(to);
}

static void say_inlined(const struct cofl_method *m,
			const struct cof_version_desc *desc)
{
	char list[1000] = "";

	for (size_t i = 0; i < desc->n_inlined; i++) {
		const struct cofl_method *in =
			cof_method_data(desc->inlined[i]);
		size_t used = strlen(list);

		snprintf(list + used, sizeof(list) - used, " %s", in->name);
	}
	say("inlined: %s:%s\n", m->name, list);
}

struct group {
	struct cofl_method *method[GROUP];
	void               *ir[GROUP];
	size_t              n;
};

static void build(struct group *g)
{
	struct cof_version_desc desc[GROUP] = { 0 };

	for (size_t i = 0; i < g->n; i++)
		desc[i].size = sizeof(*desc);
	if (g->n != 0 && llvm.build_unit(host, g->ir, g->n, COF_PLAN_PROFILE,
					  &go_on, desc) == 0)
		for (size_t i = 0; i < g->n; i++)
			if (desc[i].start != NULL) {
				say_inlined(g->method[i], &desc[i]);
				add_version(g->method[i], &desc[i]);
			}
	for (size_t i = 0; i < g->n; i++)
		llvm.drop(host, g->ir[i]);
}

static bool has(const struct group *g, const struct cofl_method *m)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->method[i] == m)
			return true;
	return false;
}

static void turn(void)
{
	struct group g = { .n = 0 };

	for (size_t i = 0; i < GROUP; i++) {
		struct cofl_method *m = &host->method[draw(host->n_methods)];
		void *ir = NULL;

		if (!m->pinned && !has(&g, m) && cofl_methods_add(m) != NULL)
			ir = gather(host, m);
		if (ir == NULL)
			continue;
		if (llvm.counted(host, m) == 0) {
			instrument(m, ir);
			continue;
		}
		llvm.collect(host, ir);
		g.method[g.n] = m;
		g.ir[g.n++] = ir;
	}
	build(&g);
}

static void *run(void *unused)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	(void)unused;
	/* libc's malloc(3) opens a file when a thread has freed much. */
	close_range(3, ~0u, CLOSE_RANGE_UNSHARE);
	for (;;) {
		turn();
		nanosleep(&nap, NULL);
	}
	return NULL;
}

static void (*exits_before)(void);

static void say_built(void)
{
	say("built %lu\n", atomic_load(&n_built));
	exits_before();
}

__attribute__((visibility("default")))
int cofl_native_open(const struct cofl_services *given,
		     struct cofl_events *events, char *why, size_t why_bytes)
{
	const char *seed = getenv("COF_STRESSED_SEED");
	int err = open_native(given, events, why, why_bytes);

	if (err != 0 || seed == NULL || host->n_methods == 0)
		return err;
	state = strtoull(seed, NULL, 10);
	file = getenv("COF_STRESSED_FILE");
	exits_before = events->exits;
	events->exits = say_built;
	cofl_module_forward(host, &llvm);
	if (cof_thread_create(run, NULL) != 0)
		fprintf(stderr, "stressed: no thread\n");
	return 0;
}
