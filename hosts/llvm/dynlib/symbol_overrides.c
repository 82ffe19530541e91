/*
 * symbol_overrides.c - stand-ins and hazards, one table each; see
 * symbol_overrides.h
 */
#include "dynlib/symbol_overrides.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fork_code.h"
#include "cof.h"
#include "dynlib/dladdr.h"
#include "dynlib/exported_names.h"
#include "dynlib/rpath.h"
#include "link/tls.h"
#include "program/host.h"
#include "support/maker.h"
#include "dynlib/sigmask.h"
#include "support/single_threaded.h"

/* Set before guest code runs. */
static struct cofl        *the_host;
static cofl_symbol_overrides_build *build_with_callees;
static void               *the_program;	/* dlopen(NULL)'s */

void cofl_symbol_overrides_init(struct cofl *host,
				cofl_symbol_overrides_build *build)
{
	the_host = host;
	build_with_callees = build;
	the_program = dlopen(NULL, RTLD_LAZY);
	cofl_sigmask_init(cof_sampling_signal(host->cof));
}

/*
 * A handler may interrupt malloc(3) or the compiler. So the handler and what it
 * calls by name are compiled now. What it calls through a pointer is compiled
 * at that call.
 */
static void compile_handler(uintptr_t handler)
{
	struct cofl *host = the_host;

	for (uint32_t i = 0; host != NULL && i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];

		if ((uintptr_t)cof_method_stub(m->method) == handler) {
			if (!host->starts_from_image)
				build_with_callees(m);
			return;
		}
	}
}

static int guest_sigaction(int sig, const struct sigaction *act,
			   struct sigaction *old)
{
	if (act != NULL && act->sa_handler != SIG_DFL &&
	    act->sa_handler != SIG_IGN)
		compile_handler((uintptr_t)act->sa_sigaction);
	return cof_sigaction(sig, act, old);
}

static void (*handle(int sig, void (*handler)(int), int flags))(int)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };
	struct sigaction old;

	sigemptyset(&act.sa_mask);
	if (guest_sigaction(sig, &act, &old) != 0)
		return SIG_ERR;
	return old.sa_handler;
}

typedef void handler_fn(int);

/* By libc's function, which knows siginterrupt(3), except for the sampling
 * signal. */
static handler_fn *set_handler(handler_fn *(*libcs)(int, handler_fn *), int sig,
			       handler_fn *handler, int flags)
{
	if (sig == cof_sampling_signal(the_host->cof))
		return handle(sig, handler, flags);
	if (handler != SIG_DFL && handler != SIG_IGN && handler != SIG_ERR)
		compile_handler((uintptr_t)handler);
	return libcs(sig, handler);
}

/* signal(3) with glibc's BSD semantics. */
static handler_fn *guest_signal(int sig, handler_fn *handler)
{
	return set_handler(signal, sig, handler, SA_RESTART);
}

/* signal(3) in a program compiled for strict standards. */
static handler_fn *guest_sysv_signal(int sig, handler_fn *handler)
{
	return set_handler(__sysv_signal, sig, handler,
			   (int)SA_RESETHAND | SA_NODEFER);
}

/* For dlsym(3) and its kin. libc takes cof-llvm, or no library at all, for the
 * caller, and the program's own names are in a library
 * (dynlib/exported_names.h). */
static void *found(const char *name, void *address)
{
	uintptr_t stand_in;

	if (address == NULL)
		return NULL;
	stand_in = cofl_symbol_overrides_find(name);
	return stand_in != 0 ? (void *)stand_in : address;
}

/* C++'s operators new and delete: _Znwm and the like. */
static bool is_operator(const char *name)
{
	return strncmp(name, "_Znw", 4) == 0 || strncmp(name, "_Zna", 4) == 0 ||
	       strncmp(name, "_Zdl", 4) == 0 || strncmp(name, "_Zda", 4) == 0;
}

/* A program's allocator builds on libc's and libstdc++'s functions. cof-llvm's
 * would call the program's again. */
static void *next_allocator(const char *name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "free", "memalign", "valloc",
		"pvalloc", "posix_memalign", "aligned_alloc",
		"malloc_usable_size",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], name) == 0)
			return dlsym(dlopen("libc.so.6",
					    RTLD_LAZY | RTLD_NOLOAD), name);
	return is_operator(name) ? dlsym(RTLD_NEXT, name) : NULL;
}

static void *guest_dlsym(void *handle, const char *name)
{
	void *own;

	if (handle == RTLD_NEXT) {
		own = next_allocator(name);
		return own != NULL ? own :
		       found(name, cofl_exported_names_next(name));
	}
	if (handle != RTLD_DEFAULT && handle != the_program)
		return dlsym(handle, name);
	own = cofl_exported_names_own(name);
	return own != NULL ? own : found(name, dlsym(RTLD_DEFAULT, name));
}

static void *guest_dlvsym(void *handle, const char *name, const char *version)
{
	void *address = dlvsym(handle == RTLD_NEXT ? RTLD_DEFAULT : handle,
			       name, version);
	uintptr_t own;

	if (address == NULL ||
	    (handle != RTLD_DEFAULT && handle != RTLD_NEXT &&
	     handle != the_program) ||
	    (handle == RTLD_NEXT && next_allocator(name) != NULL))
		return address;
	own = cofl_symbols_of_host(name);
	return own != 0 ? (void *)own : found(name, address);
}

static int guest_dladdr(const void *address, Dl_info *info)
{
	return cofl_dladdr(the_host, address, info);
}

static int guest_atexit(void (*f)(void))
{
	return atexit(f);
}

static int guest_at_quick_exit(void (*f)(void))
{
	return at_quick_exit(f);
}

/*
 * _exit(2) runs no exit handlers, so libcof's does not run. The call goes
 * through a pointer that is bound at the start: a direct call would be bound
 * when first made, mostly in children that have done little else.
 */
COF_FORK_CODE static void guest_exit(int status)
{
	static void (*const volatile exit_now)(int) = _exit;

	if (the_host != NULL)
		cof_exit_async_safe(the_host->cof);
	cofl_maker_leave();
	exit_now(status);
}

static int guest_pthread_atfork(void (*prepare)(void), void (*parent)(void),
				void (*child)(void))
{
	return pthread_atfork(prepare, parent, child);
}

/* Identifies the program to __cxa_atexit(); the program is never unloaded. */
static void *dso_handle;

/* __builtin_cpu_supports() reads these, in the compiler's static library. */
extern char __cpu_model[], __cpu_features2[];
extern int __cpu_indicator_init(void);

static const struct stand_in {
	const char *name;
	uintptr_t   address;
} stand_ins[] = {
#define STAND_IN(name, f) { name, (uintptr_t)(f) }
	STAND_IN("atexit", guest_atexit),
	STAND_IN("at_quick_exit", guest_at_quick_exit),
	STAND_IN("_exit", guest_exit),
	STAND_IN("_Exit", guest_exit),
	STAND_IN("pthread_atfork", guest_pthread_atfork),
	STAND_IN("__dso_handle", &dso_handle),
	STAND_IN("__tls_get_addr", cofl_tls_get_addr),
	STAND_IN("__libc_single_threaded", &single_threaded_word),
	STAND_IN("__cpu_model", __cpu_model),
	STAND_IN("__cpu_features2", __cpu_features2),
	STAND_IN("__cpu_indicator_init", __cpu_indicator_init),
	STAND_IN("dladdr", guest_dladdr),
	STAND_IN("dlopen", cofl_rpath_open),
	STAND_IN("dlsym", guest_dlsym),
	STAND_IN("dlvsym", guest_dlvsym),
	STAND_IN("sigaction", guest_sigaction),
	STAND_IN("signal", guest_signal),
	STAND_IN("bsd_signal", guest_signal),
	STAND_IN("ssignal", guest_signal),
	STAND_IN("__sysv_signal", guest_sysv_signal),
	STAND_IN("sysv_signal", guest_sysv_signal),
#undef STAND_IN
};

uintptr_t cofl_symbol_overrides_find(const char *name)
{
	for (size_t i = 0; i < sizeof(stand_ins) / sizeof(*stand_ins); i++)
		if (strcmp(stand_ins[i].name, name) == 0)
			return stand_ins[i].address;
	return cofl_sigmask_stand_in(name);
}

static const struct hazard {
	const char *name, *why;
	bool        makes_threads;
} hazards[] = {
#define STACKS(f) { f, "the program makes stacks of its own (" f ")", false }
#define THREADS(f, why) { f, why, true }
/* exe/interpose.c sees the call that starts the thread. */
#define SEEN(f, why) { f, why, false }
	STACKS("makecontext"),
	STACKS("swapcontext"),
	STACKS("setcontext"),
	STACKS("make_fcontext"),
	STACKS("jump_fcontext"),
	THREADS("clone", "the program makes threads of its own (clone)"),
	SEEN("timer_create",
	     "timers may start threads nobody sees (timer_create)"),
	SEEN("mq_notify", "mq_notify may start threads nobody sees"),
	THREADS("aio_read", "aio may start threads nobody sees"),
	THREADS("aio_write", "aio may start threads nobody sees"),
	THREADS("lio_listio", "aio may start threads nobody sees"),
	THREADS("getaddrinfo_a",
		"getaddrinfo_a may start threads nobody sees"),
#undef STACKS
#undef THREADS
#undef SEEN
};

const char *cofl_symbol_overrides_hazard(const char *name)
{
	for (size_t i = 0; i < sizeof(hazards) / sizeof(*hazards); i++) {
		if (strcmp(hazards[i].name, name) != 0)
			continue;
		if (hazards[i].makes_threads)
			single_threaded_end();
		return hazards[i].why;
	}
	return NULL;
}
