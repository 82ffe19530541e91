/*
 * native.c - the namespace, the services, the states; see native.h
 *
 * Orderings, by letter: a release store of `state` (A) after the host has
 * filled `events` in; an acquire load (B) where they are called.
 */
#include "preload/native.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "preload/next.h"

#define LIBC_LIBRARY "libcof-libc.so"
#define LIBRARY      "libcof-native.so"

#define WAIT_S  2	/* many times what opening takes */

enum state { NEVER, CLOSED, OPENING, OPEN };

static _Atomic int        state = NEVER;
static pthread_mutex_t    lock = PTHREAD_MUTEX_INITIALIZER;
static bool               held;		/* over a fork */
static struct cofl_events events = { .size = sizeof(events) };
static _Thread_local bool creates_thread;

/* -- Services -------------------------------------------------------------- */

/* dlsym(3) searches the namespace that it is called from, by its return
 * address. So these may not be calls at the end of a function, which compilers
 * make jumps of. */
static void *find(const char *name, const char *version)
{
	void *address = version != NULL ? dlvsym(RTLD_DEFAULT, name, version) :
					  dlsym(RTLD_DEFAULT, name);

	__asm__ volatile("" : "+r"(address));
	return address;
}

static int at_fork(void (*prepare)(void), void (*parent)(void),
		   void (*child)(void))
{
	return pthread_atfork(prepare, parent, child);
}

static bool *creates(void)
{
	return &creates_thread;
}

static int thread_create(pthread_t *thread, const pthread_attr_t *attr,
			 void *(*run)(void *), void *arg)
{
	return next.pthread_create(thread, attr, run, arg);
}

static struct cofl_services services = {
	.size = sizeof(services),
	.find = find,
	.thread_create = thread_create,
	.key_create = pthread_key_create,
	.key_delete = pthread_key_delete,
	.set_specific = pthread_setspecific,
	.get_specific = pthread_getspecific,
	.at_fork = at_fork,
	.get_attr = pthread_getattr_np,
	.destroy_attr = pthread_attr_destroy,
	.creates_thread = creates,
};

void native_init(const char *program, const char *options,
		 void (*left_alone)(int status))
{
	services.left_alone = left_alone;
	services.path = program;
	services.options = options;
	atomic_store(&state, CLOSED);
}

bool native_creates_thread(void)
{
	return creates_thread;
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

/* False: it takes too long. */
static bool take_lock(void)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += WAIT_S;
	return pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until) == 0;
}

static bool change(int from, int to)
{
	return atomic_compare_exchange_strong_explicit(
		&state, &from, to, memory_order_acq_rel, memory_order_acquire);
}

void native_forgo(void)
{
	if (!change(CLOSED, NEVER) && now() == OPENING && take_lock())
		pthread_mutex_unlock(&lock);
}

void native_hold(void)
{
	held = now() != NEVER && take_lock();
}

void native_leave(void)
{
	if (held)
		pthread_mutex_unlock(&lock);
	held = false;
}

void native_forked(void)
{
	static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;

	if (held || change(OPENING, NEVER))
		lock = unlocked;
	held = false;
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

/* libc's stand-ins first: they make the namespace. */
static void *load_all(void)
{
	void *libc = load_beside(LM_ID_NEWLM, LIBC_LIBRARY);
	cofl_libc_init_fn *init;
	Lmid_t namespace;

	if (libc == NULL)
		return NULL;
	init = (cofl_libc_init_fn *)dlsym(libc, "cofl_libc_init");
	if (init == NULL || init(&services) != 0 ||
	    dlinfo(libc, RTLD_DI_LMID, &namespace) != 0)
		return NULL;
	return load_beside(namespace, LIBRARY);
}

/* Not by a stream: the program may be using it. */
static void say(const char *why)
{
	char line[600];
	int n = snprintf(line, sizeof(line),
			 "runtime: %.200s: running as it was compiled: %.300s\n",
			 services.path, why);

	/* A failure cannot be reported. */
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		return;
}

/* NULL: `why` has the reason. */
static cofl_native_open_fn *load(char *why, size_t why_bytes)
{
	cofl_native_open_fn *open = NULL;
	void *handle = load_all();

	if (handle != NULL)
		open = (cofl_native_open_fn *)dlsym(handle, "cofl_native_open");
	if (open == NULL) {
		const char *error = dlerror();

		snprintf(why, why_bytes, "%s",
			 error != NULL ? error : "no " LIBRARY);
	}
	return open;
}

static bool open_locked(void)
{
	cofl_native_open_fn *open;
	char why[300] = "";
	bool opened;

	if (!change(CLOSED, OPENING))
		return false;
	open = load(why, sizeof(why));
	opened = open != NULL &&
		 open(&services, &events, why, sizeof(why)) == 0;
	atomic_store_explicit(&state, opened ? OPEN : NEVER,
			      memory_order_release);	/* A */
	if (!opened && *why != '\0')
		say(why);
	return opened;
}

bool native_open(void)
{
	bool opened;

	if (!take_lock())
		return false;
	opened = open_locked();
	pthread_mutex_unlock(&lock);
	return opened;
}
