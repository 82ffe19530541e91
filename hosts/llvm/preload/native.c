/*
 * native.c - the namespace, the services, the states; see native.h
 *
 * Orderings, by letter: a release store of `state` (A) after the host has
 * filled `events` in; an acquire load (B) where they are called.
 */
#include "preload/native.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/rawcall.h"
#include "own_threads/bare_thread.h"
#include "own_threads/fork_handlers.h"
#include "own_threads/fp_env.h"
#include "own_threads/libc_locks.h"
#include "own_threads/linker_malloc.h"
#include "own_threads/own_threads.h"
#include "preload/stderr_line.h"
#include "preload/thread_room.h"

#define LIBC_LIBRARY "libcof-libc.so"
#define LIBRARY      "libcof-native.so"

#define WAIT_S  2	/* many times what opening takes */

enum state { NEVER, CLOSED, OPENING, OPEN };

static _Atomic int        state = NEVER;
static struct cofl_events events = { .size = sizeof(events) };
static void             (*opened)(void);
static void             (*look_soon)(void);
static _Thread_local bool forks_inside;	/* libcof, over a fork */

/* -- Services -------------------------------------------------------------- */

/* How often this thread of the program's is inside, and what it had before. */
static _Thread_local unsigned      depth;
static _Thread_local struct fp_env fp_before;

static void compute_begin(void)
{
	if (depth++ == 0)
		fp_env_begin(&fp_before);
}

static void compute_end(void)
{
	if (--depth == 0)
		fp_env_end(&fp_before);
}

static void enter(void)
{
	if (own_threads_is()) {
		libc_locks_share();
		return;
	}
	compute_begin();
	libc_locks_share_here();
}

static void leave(void)
{
	if (own_threads_is()) {
		libc_locks_unshare();
		return;
	}
	libc_locks_unshare_here();
	compute_end();
}

static bool own_thread_begins(void)
{
	fp_env_default();
	linker_malloc_depth++;
	return own_threads_begins();
}

static struct cofl_services services = {
	.size = sizeof(services),
	.key_create = pthread_key_create,
	.key_delete = pthread_key_delete,
	.set_specific = pthread_setspecific,
	.get_specific = pthread_getspecific,
	.at_fork = fork_handlers_add,
	.own_thread_begins = own_thread_begins,
	.own_thread_ends = own_threads_ends,
	.own_thread_making = own_threads_making,
	.own_thread_made = own_threads_made,
	.line = stderr_line,
	.enter = enter,
	.leave = leave,
};

void native_init(const struct environment *env,
		 void (*left_alone)(int status), void (*look)(void))
{
	stderr_line_init();
	look_soon = look;
	services.left_alone = left_alone;
	services.path = env->program;
	services.options = env->options;
	services.finishes = env->finish;
	services.environment = env->read;
	services.scope = _r_debug.r_map;
	atomic_store(&state, CLOSED);
}

void native_finished(bool is)
{
	services.is_finished = is;
}

/* -- States ---------------------------------------------------------------- */

static int now(void)
{
	return atomic_load_explicit(&state, memory_order_acquire);	/* B */
}

const struct cofl_events *native_events(void)
{
	return now() == OPEN ? &events : NULL;
}

bool native_is_closed(void)
{
	return now() == CLOSED;
}

bool native_is_decided(void)
{
	int is = now();

	return is == OPEN || is == NEVER;
}

static bool change(int from, int to)
{
	return atomic_compare_exchange_strong_explicit(
		&state, &from, to, memory_order_acq_rel, memory_order_acquire);
}

void native_wait(void)
{
	struct timespec most = { .tv_sec = WAIT_S };

	while (now() == OPENING &&
	       cof_raw6(SYS_futex, (long)&state, FUTEX_WAIT, OPENING,
			(long)&most, 0, 0) != -ETIMEDOUT)
		;
}

void native_forgo(void)
{
	if (!change(CLOSED, NEVER))
		native_wait();
}

void native_hold(void)
{
	native_wait();
	forks_inside = now() == OPEN;
	if (forks_inside)
		enter();
	fork_handlers_prepare();
}

void native_leave(void)
{
	fork_handlers_parent();
	if (forks_inside)
		leave();
}

void native_forked(void)
{
	bool given_up = change(OPENING, NEVER);

	services.is_child |= now() == CLOSED;
	linker_malloc_forked();
	if (given_up)
		linker_malloc_shrink();
	own_threads_forked();
	libc_locks_child();
	if (forks_inside)
		libc_locks_share_here();
	fork_handlers_child();
	if (forks_inside)
		leave();
}

/* -- Opening --------------------------------------------------------------- */

/* Open a library that lies beside this one. NULL: dlerror(3) has the reason. */
static void *load_beside(Lmid_t namespace, const char *name)
{
	char path[PATH_MAX];
	Dl_info here;
	const char *slash;
	int n;

	if (dladdr(&state, &here) == 0)
		return NULL;
	slash = strrchr(here.dli_fname, '/');
	n = slash == NULL ? 0 : (int)(slash + 1 - here.dli_fname);
	n = snprintf(path, sizeof(path), "%.*s%s", n, here.dli_fname, name);
	return n < (int)sizeof(path) ?
	       dlmopen(namespace, path, RTLD_LAZY | RTLD_LOCAL) : NULL;
}

static void *libc;	/* libcof-libc.so, which makes the namespace */

static void *in_libc(const char *name)
{
	void *address = dlsym(libc, name);

	return address;
}

static bool load_libc(char *why, size_t why_bytes)
{
	cofl_libc_init_fn *init;

	libc = load_beside(LM_ID_NEWLM, LIBC_LIBRARY);
	if (libc == NULL) {
		snprintf(why, why_bytes, "%s", dlerror());
		return false;
	}
	init = (cofl_libc_init_fn *)in_libc("cofl_libc_init");
	return init != NULL && init(&services) == 0;
}

static void say(const char *why)
{
	char line[600];

	snprintf(line, sizeof(line),
		 "runtime: %.200s: running as it was compiled: %.300s",
		 services.path, why);
	stderr_line(line);
}

/* NULL: `why` has the reason. */
static cofl_native_open_fn *load(char *why, size_t why_bytes)
{
	cofl_native_open_fn *open = NULL;
	Lmid_t namespace;
	void *handle = dlinfo(libc, RTLD_DI_LMID, &namespace) == 0 ?
		       load_beside(namespace, LIBRARY) : NULL;

	if (handle != NULL)
		open = (cofl_native_open_fn *)dlsym(handle, "cofl_native_open");
	if (open == NULL) {
		const char *error = dlerror();

		snprintf(why, why_bytes, "%s",
			 error != NULL ? error : "no " LIBRARY);
	}
	return open;
}

static void decide(bool is_open)
{
	atomic_store_explicit(&state, is_open ? OPEN : NEVER,
			      memory_order_release);	/* A */
	cof_raw6(SYS_futex, (long)&state, FUTEX_WAKE, INT_MAX, 0, 0, 0);
}

static void give_up(const char *why)
{
	decide(false);
	linker_malloc_shrink();
	if (*why != '\0')
		say(why);
}

/* libcof-libc.so is loaded. */
static void open_rest(void)
{
	char why[300] = "";
	cofl_native_open_fn *open = load(why, sizeof(why));

	if (open == NULL || open(&services, &events, why, sizeof(why)) != 0) {
		give_up(why);
		return;
	}
	decide(true);
	opened();
}

/* One loads the namespace, and its files are its own. Threads have their
 * maker's files, so the other makes libcof's first. */
static struct bare_thread loader, maker;

static void open_aside(void)
{
	bare_thread_own_files();
	enter();
	open_rest();
	leave();
	libc_locks_unshare();		/* by native_open_aside() */
}

static void load_namespace(void)
{
	char why[300] = "no " LIBC_LIBRARY;

	linker_malloc_depth++;
	if (!load_libc(why, sizeof(why)))
		give_up(why);
}

static void end_maker(void)
{
	bare_thread_join(&maker);
}

static void make_first(void)
{
	cofl_libc_first_thread_fn *make = NULL;

	linker_malloc_depth++;
	bare_thread_join(&loader);
	if (now() == OPENING)
		make = (cofl_libc_first_thread_fn *)
		       in_libc("cofl_libc_first_thread");
	if (make != NULL && make(end_maker, open_aside) == 0)
		return;
	if (now() == OPENING)
		give_up("no thread could be made");
	libc_locks_unshare();
}

/* On the program's only thread, with the linker's heap open from here on. */
static bool begin(char *why, size_t why_bytes)
{
	if (!thread_room_is_left(why, why_bytes) ||
	    !linker_malloc_begin(why, why_bytes))
		return false;
	if (libc_locks_begin(look_soon))
		return true;
	snprintf(why, why_bytes, "libc does not say that it has one thread");
	return false;
}

bool native_open_aside(void (*then)(void))
{
	char why[300];
	bool loading = false, made = false;

	if (!change(CLOSED, OPENING))
		return false;
	opened = then;
	if (begin(why, sizeof(why))) {
		libc_locks_share_here();
		loading = bare_thread_start(&loader, load_namespace, true, why,
					    sizeof(why));
		made = loading && bare_thread_start(&maker, make_first, false,
						    why, sizeof(why));
		if (!loading)
			libc_locks_unshare_here();
		else if (!made)		/* the loader goes on */
			libc_locks_for_good();
	}
	if (!made)
		give_up(why);
	return made;
}

void native_open(void (*then)(void))
{
	char why[300] = "";

	if (!change(CLOSED, OPENING)) {
		native_wait();
		return;
	}
	opened = then;
	linker_malloc_depth++;
	compute_begin();
	if (begin(why, sizeof(why)) && load_libc(why, sizeof(why)))
		open_rest();
	else
		give_up(why);
	compute_end();
	linker_malloc_depth--;
}
