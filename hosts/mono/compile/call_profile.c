/*
 * call_profile.c - profiles in memory and as bytes
 */
#include "compile/call_profile.h"

#include <stdlib.h>
#include <string.h>

#include <mono/metadata/appdomain.h>
#include <mono/metadata/debug-helpers.h>

#include "method/calls.h"
#include "vm/attach.h"
#include "vm/internals.h"
#include "method/method.h"
#include "vm/tuning.h"

/* The bytes begin with this; `n` hashes of 8 bytes follow. Little endian. */
struct saved {
	uint32_t format, n;
};
#define FORMAT 2u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* m->profile */

/* Whatever life it is of. */
static bool copy(struct cofm_method *m, struct cofm_call_profile *out)
{
	bool has;

	pthread_mutex_lock(&lock);
	has = m->profile != NULL;
	if (has)
		*out = *m->profile;
	pthread_mutex_unlock(&lock);
	return has;
}

bool cofm_call_profile_get(struct cofm_method *m, struct cofm_call_profile *out)
{
	return copy(m, out) &&
	       (out->in.n == 0 || out->life == atomic_load(&m->lives));
}

/* Inside cofm_attach_enter(). */
static uint64_t name_hash(MonoMethod *callee)
{
	char *name = mono_method_full_name(callee, 1);
	uint64_t hash = name ? cofm_calls_hash(COFM_CALLS_HASH_START, name,
					       strlen(name)) :
			       0;

	mono_free(name);
	return hash;
}

static void replace(struct cofm_method *m, struct cofm_call_profile *p)
{
	struct cofm_call_profile *old;

	if (p)
		p->life = atomic_load(&m->lives);
	pthread_mutex_lock(&lock);
	old = m->profile;
	m->profile = p;
	pthread_mutex_unlock(&lock);
	free(old);
}

void cofm_call_profile_set(struct cofm_method *m,
			   const struct cofm_inlining *in)
{
	struct cofm_call_profile *p = calloc(1, sizeof(*p));

	if (!p || !cofm_attach_enter(m->host)) {
		free(p);
		return;
	}
	for (uint32_t i = 0; i < in->n; i++)
		p->name[i] = name_hash(in->callee[i]);
	cofm_attach_leave();
	p->in = *in;
	replace(m, p);
}

void cofm_call_profile_refuse(struct cofm_method *m)
{
	replace(m, calloc(1, sizeof(struct cofm_call_profile)));
}

size_t cofm_call_profile_save(struct cofm_method *m, void *buf, size_t bytes)
{
	struct saved head = { .format = FORMAT };
	struct cofm_call_profile p;
	size_t names;

	if (!copy(m, &p))
		return 0;
	head.n = p.in.n;
	names = p.in.n * sizeof(p.name[0]);
	if (sizeof(head) + names <= bytes) {
		memcpy(buf, &head, sizeof(head));
		memcpy((char *)buf + sizeof(head), p.name, names);
	}
	return sizeof(head) + names;
}

/* -- From bytes ------------------------------------------------------------ */

/* False: the bytes are not a profile. */
static bool parse(struct cofm_call_profile *p, const void *buf, size_t bytes)
{
	struct saved head;

	if (bytes < sizeof(head))
		return false;
	memcpy(&head, buf, sizeof(head));
	if (head.format != FORMAT || head.n > COFM_INLINED_MAX ||
	    bytes != sizeof(head) + head.n * sizeof(p->name[0]))
		return false;
	memcpy(p->name, (const char *)buf + sizeof(head),
	       head.n * sizeof(p->name[0]));
	p->in.n = head.n;
	return true;
}

/* Inside cofm_attach_enter(). */
static void look_for(struct cofm_call_profile *p, const struct cofm_method *m,
		     uint32_t depth);

/* Was the method compiled in this run? To inline a method Mono resolves all
 * that its IL names, and it loads the assemblies of that (il.h). Those that
 * corlib names are loaded anyway. */
static bool was_compiled(const struct cofm_method *m, MonoMethod *callee)
{
	return mono_class_get_image(mono_method_get_class(callee)) ==
		       mono_get_corlib() ||
	       cofm_method_find(m->host, m->domain, callee) ||
	       mono_jit_find_compiled_method(m->domain->mono, callee);
}

static void look_in(struct cofm_call_profile *p, const struct cofm_method *m,
		    MonoMethod *callee, uint32_t depth)
{
	uint64_t name = name_hash(callee);
	struct cofm_method deeper = {
		.host = m->host, .domain = m->domain, .mono = callee,
	};

	for (uint32_t i = 0; i < p->in.n; i++) {
		if (p->name[i] != name || p->in.callee[i])
			continue;
		if (!was_compiled(m, callee))
			return;
		p->in.callee[i] = callee;
		if (depth < COFM_TUNE(profile_depth)) {
			cofm_calls_read(&deeper);
			look_for(p, &deeper, depth + 1);
			free(deeper.call);
		}
		return;
	}
}

static void look_for(struct cofm_call_profile *p, const struct cofm_method *m,
		     uint32_t depth)
{
	for (uint32_t i = 0; i < m->n_calls; i++)
		look_in(p, m, m->call[i].callee, depth);
}

/* Drop the callees that were not found. */
static void pack(struct cofm_call_profile *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < p->in.n; i++)
		if (p->in.callee[i]) {
			p->in.callee[n] = p->in.callee[i];
			p->name[n++] = p->name[i];
		}
	p->in.n = n;
}

int cofm_call_profile_load(struct cofm_method *m, const void *buf, size_t bytes)
{
	struct cofm_call_profile *p = calloc(1, sizeof(*p));
	MonoDomain *before;

	if (!p || !parse(p, buf, bytes) || !cofm_attach_enter(m->host)) {
		free(p);
		return -1;
	}
	before = cofm_domains_go(m->domain);
	look_for(p, m, 1);
	cofm_domains_back(before);
	cofm_attach_leave();
	pack(p);
	if (p->in.n == 0) {
		free(p);
		return -1;
	}
	replace(m, p);
	return 0;
}
