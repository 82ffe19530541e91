/*
 * first_call.c - see first_call.h
 */
#include "module/first_call.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/onstack.h"
#include "compile/first_version.h"
#include "ir/copy.h"
#include "program/host.h"
#include "program/thread.h"
#include "support/fatal.h"
#include "support/memory_reserve.h"

struct first {
	struct cofl_method *method;
	bool done;
	char why[256];
};

static void try_first(void *arg)
{
	struct first *f = arg;
	struct cof_version_desc desc;

	strcpy(f->why, "no memory for its version");
	f->done = cofl_first_version_build(f->method, &desc, f->why,
					   sizeof(f->why)) == 0 &&
		  cof_version_add(f->method->method, &desc) == 0;
}

/* The program waits for it. So if memory is refused, it has the reserve. */
static void build_first(void *arg)
{
	struct first f = { .method = arg };
	struct cofl *host = f.method->host;

	do
		cofl_copy_try(host->copy, try_first, &f, f.why, sizeof(f.why));
	while (!f.done && cofl_memory_reserve_is_short() &&
	       cofl_memory_reserve_release() &&
	       cofl_copy_mend(host->copy, host->bitcode, f.why,
			      sizeof(f.why)));
	if (!f.done)
		cofl_fatal("cannot compile %s: %s",
			   cof_method_name(f.method->method), f.why);
	atomic_store_explicit(&f.method->compiled, true, memory_order_release);
}

/*
 * Blocks signals, since a handler could need a first call itself, on the thread
 * that holds the lock; and cancellation.
 */
void cofl_first_call(void *ctx, void *method)
{
	struct cofl *host = ctx;
	struct cofl_method *m = method;
	struct cofl_thread_critical c;
	char *top;

	cofl_thread_critical_enter(&c);
	cof_compile_enter();
	pthread_mutex_lock(&host->copy->lock);
	if (!atomic_load_explicit(&m->compiled, memory_order_acquire)) {
		top = cofl_thread_stack_short() ?
		      cofl_thread_big_stack() : NULL;
		if (top != NULL)
			cof_onstack(top, build_first, m);
		else
			build_first(m);
	}
	pthread_mutex_unlock(&host->copy->lock);
	cof_compile_leave();
	cofl_thread_critical_leave(&c);
}

#define FIRST_CALLS 64u

void cofl_first_call_ahead(struct cofl_method *method)
{
	struct cofl_method *list[FIRST_CALLS] = { method };
	struct cofl_copy *copy = method->host->copy;
	struct cofl_thread_critical c;
	size_t n = 1;

	for (size_t i = 0; i < n; i++) {
		cofl_first_call(method->host, list[i]);
		cofl_thread_critical_enter(&c);
		pthread_mutex_lock(&copy->lock);
		if (!cofl_copy_is_closed(copy))	/* else all are compiled */
			cofl_first_version_calls(list[i], list, &n,
						 FIRST_CALLS);
		pthread_mutex_unlock(&copy->lock);
		cofl_thread_critical_leave(&c);
	}
}
