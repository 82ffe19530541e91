/*
 * methods.c - see methods.h
 */
#include "native/methods.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cofl.h"
#include "native/code_owners.h"
#include "native/entry.h"
#include "native/points.h"
#include "native/text_page.h"
#include "native/virtual_calls.h"
#include "link/osr_points.h"
#include "support/linkage.h"
#include "support/xcalloc.h"

static const struct cofl_executable *executable;
static struct cofl_code_owners owners;

/* Of all functions without points: the executable's code is nobody's to
 * free. */
static struct cofl_version native = { .is_native = true };

/* By number; NULL: the shared one. */
static struct cofl_version **own;

/* By number: what stands for a redirected function's own entry; NULL: it is not
 * redirected. */
static const unsigned char **copied;

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
	copied = cofl_xcalloc(n, sizeof(*copied));
	host->method = cofl_xcalloc(n, sizeof(*host->method));
	cofl_code_owners_init(&owners, e);
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
		m->native_bytes = (uint32_t)a->bytes;
		m->pinned = !(a->flags & COFL_ADDRESS_PATCHABLE) ||
			    a->first_bytes == 0;
	}
	host->n_methods = n;
	host->add_method = cofl_methods_add;
	host->is_same = cofl_methods_is_same;
}

/* -- One of them, when it is seen ------------------------------------------ */

/* [changing] */
static void leave_alone(struct cofl *host, const struct cof_own_entry *list,
			size_t n)
{
	/* Builds that began before look whether this has changed. */
	atomic_fetch_add_explicit(&host->left_alone, 1, memory_order_release);
	cof_leave_alone(host->cof, list, n, NULL, NULL);
}

/* NULL: the function has none, or there is no memory. On SAM's thread. */
static struct cofl_version *with_points(uint32_t i)
{
	struct cofl_osr_points *points = cofl_points_of(executable, i);
	struct cofl_version *v;

	if (points == NULL)
		return NULL;
	v = calloc(1, sizeof(*v));
	if (v == NULL) {
		cofl_osr_points_free(points);
		return NULL;
	}
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
	if (cof_version_add(m->method, &(struct cof_version_desc){
		.size = sizeof(struct cof_version_desc),
		.start = (const void *)m->address, .size_bytes = a->bytes,
		.plan = COF_PLAN_AVERAGE, .data = version_of(m->number),
	}) != 0)
		return false;
	/* A build that has not seen it may have it inlined. */
	if (m->written)
		leave_alone(m->host, &(struct cof_own_entry){
			m->method, (const void *)m->address }, 1);
	return true;
}

/* What failed once is not tried again: methods cannot be removed. */
struct cof_method *cofl_methods_add(struct cofl_method *m)
{
	bool added;

	if (atomic_load_explicit(&m->added, memory_order_acquire))
		return m->method;
	if (!cofl_code_owners_has(&owners, m->number))
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
	int64_t i = cofl_code_owners_find(&owners, (uintptr_t)ip);

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

/* [changing] */
static bool lead_entry(struct cofl_method *m, uintptr_t stub)
{
	if (!cofl_entry_redirect(m->address, stub))
		return false;
	cofl_virtual_calls_lead(m, stub);
	return true;
}

/* [changing] Nothing of it is undone if it ends halfway: the stub leads to
 * the copy, and the copy to the function. */
static bool take_over(struct cofl_method *m)
{
	const struct cofl_address *a = entry_of(m);
	struct cof_version_desc copy = { .size = sizeof(copy),
					 .data = version_of(m->number) };
	void *stub = cof_method_second_stub(m->method);
	struct cof_code code;

	if (stub != NULL && copied[m->number] != NULL)
		return lead_entry(m, (uintptr_t)stub);
	if (stub == NULL ||
	    !cofl_text_page_is_as_linked(
		    m->address - COFL_LINKAGE_PREFIX_BYTES,
		    m->address + a->bytes) ||
	    cof_code_alloc(m->host->cof, COFL_ENTRY_COPY_BYTES,
			   COF_CODE_FIRST, &code) != 0)
		return false;
	copy.start = code.exec;
	copy.size_bytes = code.size_bytes;
	if (cofl_entry_copy(m->address, a->first_bytes, code.write,
			    (uintptr_t)code.exec) &&
	    cof_version_copy(m->method, &copy) == 0) {
		copied[m->number] = code.exec;
		return lead_entry(m, (uintptr_t)stub);
	}
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

/* A thread that is on the jump comes to the copy. */
int cofl_methods_direct(void *ctx, void *method, int direct)
{
	struct cofl_method *m = method;
	bool done;

	(void)ctx;
	if (!direct)
		return cofl_methods_take_over(m) ? 0 : -COF_E_STATE;
	pthread_mutex_lock(&changing);
	done = m->redirected && !m->written &&
	       cofl_entry_restore(m->address, copied[m->number]);
	if (done) {
		m->redirected = false;
		cofl_virtual_calls_lead_back(m);
	}
	pthread_mutex_unlock(&changing);
	return done ? 0 : -COF_E_STATE;
}

void cofl_methods_slot(struct cofl_method *m, struct cofl_symbol *slot)
{
	pthread_mutex_lock(&changing);
	cofl_virtual_calls_slot(m, slot);
	pthread_mutex_unlock(&changing);
}

bool cofl_methods_is_same(struct cofl_method *m, const void *code,
			  size_t bytes)
{
	const struct cofl_address *a = entry_of(m);
	const unsigned char *native_code = (const void *)m->address, *at = code;
	const unsigned char *first;
	bool same;

	if (a->bytes > bytes || a->first_bytes > a->bytes)
		return false;
	pthread_mutex_lock(&changing);
	first = copied[m->number] != NULL ? copied[m->number] : native_code;
	same = !m->pinned && memcmp(first, at, a->first_bytes) == 0 &&
	       memcmp(native_code + a->first_bytes, at + a->first_bytes,
		      a->bytes - a->first_bytes) == 0;
	pthread_mutex_unlock(&changing);
	return same;
}

/* -- Functions that the program writes to ---------------------------------- */

/* Does any of the function lie in [lo, hi), or of what stands before it? */
static bool meets(const struct cofl_method *m, uintptr_t lo, uintptr_t hi)
{
	return m->address < hi + COFL_LINKAGE_PREFIX_BYTES &&
	       m->address + entry_of(m)->bytes > lo;
}

/* [changing] All is as the linker left it, but for the prefix: entry, points.
 * Pages that lie outside of what the program asked for are not left to it. */
static void restore(struct cofl_method *m)
{
	const struct cofl_osr_points *points = version_of(m->number)->points;

	cofl_virtual_calls_lead_back(m);
	if (m->redirected)
		cofl_entry_restore(m->address, copied[m->number]);
	m->redirected = false;
	if (points != NULL)
		cofl_points_restore(points);
}

/* [changing] The number of those that libcof has. */
static size_t leave(struct cofl *host, uintptr_t lo, uintptr_t hi,
		    struct cof_own_entry *list)
{
	size_t n = 0;

	for (uint32_t i = 0; i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];

		if (m->written || !meets(m, lo, hi))
			continue;
		m->written = m->pinned = true;
		restore(m);
		if (atomic_load_explicit(&m->added, memory_order_relaxed))
			list[n++] = (struct cof_own_entry){
				m->method, (const void *)m->address };
	}
	return n;
}

size_t cofl_methods_leave_alone(struct cofl *host, const void *from,
				size_t bytes)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t lo = (uintptr_t)from & -page;
	uintptr_t hi = ((uintptr_t)from + bytes + page - 1) & -page;
	struct cof_own_entry *list;
	size_t n = 0;

	pthread_mutex_lock(&changing);
	if (cofl_text_page_leave(lo, hi)) {
		list = cofl_xcalloc(host->n_methods, sizeof(*list));
		n = leave(host, lo, hi, list);
		leave_alone(host, list, n);
		free(list);
	}
	pthread_mutex_unlock(&changing);
	return n;
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
