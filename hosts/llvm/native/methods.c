/*
 * methods.c - see methods.h
 */
#include "native/methods.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "native/bodies.h"
#include "native/entry.h"
#include "native/points.h"
#include "program/host.h"
#include "support/xcalloc.h"

static const struct cofl_executable *executable;
static struct cofl_bodies bodies;

/* Of all functions without points: the executable's code is nobody's to
 * free. */
static struct cofl_version native = { .is_native = true };

/* By number; NULL: the shared one. */
static struct cofl_version **own;

/* What libcof is told of a method. Taken before libcof's own locks, and behind
 * the loader's. */
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;

static _Atomic bool begun;

static struct cofl_version *version_of(uint32_t i)
{
	return own[i] != NULL ? own[i] : &native;
}

static const struct cofl_address *entry_of(const struct cofl_method *m)
{
	return &executable->entry[m->number];
}

static const char *name_of(uint32_t i)
{
	return executable->names + executable->entry[i].name;
}

/* -- All of them, at the beginning ----------------------------------------- */

/* As ir/copy.c calls what is local. */
#define SUFFIX ".cof"

static bool is_local(uint32_t i)
{
	return executable->entry[i].flags & COFL_ADDRESS_LOCAL;
}

/* Room for all names that no file has; for good. */
static char *names_room(uint32_t n)
{
	size_t bytes = 1;

	for (uint32_t i = 0; i < n; i++)
		if (is_local(i))
			bytes += strlen(name_of(i)) + sizeof(SUFFIX);
	return cofl_xcalloc(bytes, 1);
}

void cofl_methods_init(struct cofl *host, const struct cofl_executable *e)
{
	uint32_t n = e->head->n_functions;
	char *room;

	executable = e;
	own = cofl_xcalloc(n, sizeof(struct cofl_version *));
	host->method = cofl_xcalloc(n, sizeof(*host->method));
	cofl_bodies_init(&bodies, e);
	room = names_room(n);
	for (uint32_t i = 0; i < n; i++) {
		const struct cofl_address *a = &e->entry[i];
		struct cofl_method *m = &host->method[i];

		m->host = host;
		m->number = i;
		m->name = is_local(i) ? room : name_of(i);
		if (is_local(i))
			room = stpcpy(stpcpy(room, name_of(i)), SUFFIX) + 1;
		m->address = cofl_executable_address(e, i);
		m->pinned = !(a->flags & COFL_ADDRESS_PATCHABLE) ||
			    a->first_bytes == 0;
	}
	host->n_methods = n;
	host->add_method = cofl_methods_add;
}

/* -- One of them, when it is seen ------------------------------------------ */

/* NULL: the function has none. */
static struct cofl_version *with_points(uint32_t i)
{
	struct cofl_osr_points *points = cofl_points_of(executable, i);
	struct cofl_version *v;

	if (points == NULL)
		return NULL;
	v = cofl_xcalloc(1, sizeof(*v));
	v->is_native = true;
	v->points = points;
	return v;
}

/* [changing] False: no memory. A build may begin before this returns, so
 * ->method is stored first. */
static bool add(struct cofl_method *m)
{
	const struct cofl_address *a = entry_of(m);

	if (cof_method_add(m->host->cof, name_of(m->number), m,
			   &m->method) != 0)
		return false;
	own[m->number] = with_points(m->number);
	return cof_version_add(m->method, &(struct cof_version_desc){
		.size = sizeof(struct cof_version_desc),
		.start = (const void *)m->address, .size_bytes = a->bytes,
		.plan = COF_PLAN_AVERAGE, .data = version_of(m->number),
	}) == 0;
}

/* What failed once is not tried again: methods cannot be removed. */
struct cof_method *cofl_methods_add(struct cofl_method *m)
{
	bool added;

	if (atomic_load_explicit(&m->added, memory_order_acquire))
		return m->method;
	if (!cofl_bodies_has(&bodies, m->number))
		return NULL;
	pthread_mutex_lock(&changing);
	added = atomic_load_explicit(&m->added, memory_order_relaxed);
	if (!added && m->method == NULL) {
		added = add(m);
		atomic_store_explicit(&m->added, added, memory_order_release);
	}
	pthread_mutex_unlock(&changing);
	return added ? m->method : NULL;
}

int cofl_methods_locate(void *ctx, const void *ip)
{
	struct cofl *host = ctx;
	int64_t i = cofl_bodies_find(&bodies, (uintptr_t)ip);

	/* One that is there already was passed by. */
	return i >= 0 &&
	       !atomic_load_explicit(&host->method[i].added,
				     memory_order_acquire) &&
	       cofl_methods_add(&host->method[i]) != NULL;
}

/* Before all is there cof_ready() is still to come, which asks again. */
void cofl_methods_add_hot(void *ctx)
{
	struct cofl *host = ctx;

	if (!atomic_load_explicit(&begun, memory_order_acquire))
		return;
	for (uint32_t i = 0; i < host->n_methods; i++)
		if (cof_was_hot(host->cof, name_of(i)))
			cofl_methods_add(&host->method[i]);
}

/* -- Entries --------------------------------------------------------------- */

/* [changing] Nothing of it is undone if it ends halfway: the stub leads to
 * the copy, and the copy to the function. */
static bool take_over(struct cofl_method *m)
{
	const struct cofl_address *a = entry_of(m);
	struct cof_version_desc copy = { .size = sizeof(copy),
					 .data = version_of(m->number) };
	struct cof_code code;

	if (cof_code_alloc(m->host->cof, COFL_ENTRY_COPY_BYTES,
			   COF_CODE_FIRST, &code) != 0)
		return false;
	copy.start = code.exec;
	copy.size_bytes = code.size_bytes;
	if (cofl_entry_copy(m->address, a->first_bytes, code.write,
			    (uintptr_t)code.exec) &&
	    cof_version_copy(m->method, &copy) == 0)
		return cofl_entry_redirect(m->address, (uintptr_t)
					   cof_method_stub(m->method));
	cof_code_free(m->host->cof, &code);
	return false;
}

bool cofl_methods_take_over(struct cofl_method *m)
{
	pthread_mutex_lock(&changing);
	if (m->pinned)
		;
	else if (!m->redirected)
		m->redirected = take_over(m);
	if (!m->redirected)
		m->pinned = true;
	pthread_mutex_unlock(&changing);
	return m->redirected;
}

/* -- Forks ----------------------------------------------------------------- */

static void hold(void)
{
	pthread_mutex_lock(&changing);
}

static void release(void)
{
	pthread_mutex_unlock(&changing);
}

int cofl_methods_begin(void)
{
	atomic_store_explicit(&begun, true, memory_order_release);
	return pthread_atfork(hold, release, release);
}
