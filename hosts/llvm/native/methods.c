/*
 * methods.c - see methods.h
 */
#include "native/methods.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "link/symbols.h"
#include "native/entry.h"
#include "native/points.h"
#include "program/host.h"
#include "support/xcalloc.h"

static const struct cofl_executable *executable;

/* Of all functions without points: the executable's code is nobody's to
 * free. */
static struct cofl_version native = { .is_native = true };

static pthread_mutex_t redirecting = PTHREAD_MUTEX_INITIALIZER;

/* By number; NULL: the shared one. */
static struct cofl_version **own;

static struct cofl_version *version_of(uint32_t i)
{
	return own[i] != NULL ? own[i] : &native;
}

static const struct cofl_address *entry_of(const struct cofl_method *m)
{
	return &executable->entry[m->number];
}

/* As ir/copy.c calls it. */
static const char *name_in_copies(struct cofl *host, uint32_t i)
{
	const struct cofl_address *a = &executable->entry[i];
	const char *name = executable->names + a->name;
	char *local;

	if (!(a->flags & COFL_ADDRESS_LOCAL))
		return name;
	(void)host;
	local = cofl_xcalloc_printf("%s.cof", name);
	return local;
}

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

static int add(struct cofl *host, uint32_t i)
{
	const struct cofl_address *a = &executable->entry[i];
	struct cofl_method *m = &host->method[i];
	int err;

	*m = (struct cofl_method){
		.host = host, .number = i,
		.name = name_in_copies(host, i),
		.address = cofl_executable_address(executable, i),
		.compiled = true,
		.pinned = !(a->flags & COFL_ADDRESS_PATCHABLE) ||
			  a->first_bytes == 0,
	};
	err = cof_method_add(host->cof, executable->names + a->name, m,
			     &m->method);
	if (err != 0 || a->bytes == 0)
		return err;
	own[i] = with_points(i);
	/* Two names may have one body; the first one has it. */
	err = cof_version_add(m->method, &(struct cof_version_desc){
		.size = sizeof(struct cof_version_desc),
		.start = (const void *)m->address, .size_bytes = a->bytes,
		.plan = COF_PLAN_AVERAGE, .data = version_of(i),
	});
	return err == -COF_E_INVAL ? 0 : err;
}

int cofl_methods_add(struct cofl *host, const struct cofl_executable *e)
{
	uint32_t n = e->head->n_functions;
	int err = 0;

	executable = e;
	own = cofl_xcalloc(n, sizeof(struct cofl_version *));
	host->method = cofl_xcalloc(n, sizeof(*host->method));
	for (uint32_t i = 0; i < n && err == 0; i++)
		err = add(host, i);
	host->n_methods = n;
	return err;
}

/* [redirecting] Nothing of it is undone if it ends halfway: the stub leads to
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
	pthread_mutex_lock(&redirecting);
	if (m->pinned)
		;
	else if (!m->redirected)
		m->redirected = take_over(m);
	if (!m->redirected)
		m->pinned = true;
	pthread_mutex_unlock(&redirecting);
	return m->redirected;
}
