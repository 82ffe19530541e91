/*
 * played_mono.h - Mono, libcof, and the rest of the Mono host, as far as plans
 * ask them: methods with calls and samples
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mono/metadata/appdomain.h>
#include <mono/metadata/debug-helpers.h>

#include "method/calls.h"
#include "vm/attach.h"
#include "vm/internals.h"
#include "method/method.h"

#define METHODS     8
#define PAGE        4096u

struct cof_method {
	uint64_t samples;
};

static struct cofm host;
static struct cofm_domain only;	/* of the domains */
static char mono[METHODS][64];	/* MonoMethod, for its flags */
static struct cof_method cof_of[METHODS];
static struct cofm_method method[METHODS];
static struct cofm_call called[METHODS][4];
static bool known[METHODS];	/* by libcof */
static bool compiled[METHODS];	/* by Mono, in this run */
static bool in_corlib;		/* all of them */
static char *near_page;
static bool inside;		/* cofm_attach_enter() */

static MonoMethod *mono_of(int i)
{
	return (MonoMethod *)(void *)mono[i];
}

static int number_of(const MonoMethod *m)
{
	return (int)((const char (*)[64])(const void *)m - mono);
}

char *mono_method_full_name(MonoMethod *m, mono_bool signature)
{
	char *name = malloc(32);

	(void)signature;
	assert_true(inside);
	snprintf(name, 32, "method %d", number_of(m));
	return name;
}

void mono_free(void *p)
{
	free(p);
}

bool cofm_attach_enter(struct cofm *h)
{
	(void)h;
	assert_false(inside);
	return inside = true;
}

void cofm_attach_leave(void)
{
	assert_true(inside);
	inside = false;
}

MonoDomain *cofm_domains_go(const struct cofm_domain *d)
{
	assert_true(inside);
	return d->mono;
}

void cofm_domains_back(MonoDomain *before)
{
	(void)before;
}

struct cofm_method *cofm_method_find(struct cofm *h,
				     const struct cofm_domain *d, MonoMethod *m)
{
	int i = number_of(m);

	(void)h;
	assert_ptr_equal(d, &only);
	return known[i] ? &method[i] : NULL;
}

MonoClass *mono_method_get_class(MonoMethod *m)
{
	return (MonoClass *)(void *)m;
}

MonoImage *mono_get_corlib(void)
{
	return (MonoImage *)(void *)&in_corlib;
}

MonoImage *mono_class_get_image(MonoClass *klass)
{
	return in_corlib ? mono_get_corlib() : (MonoImage *)(void *)klass;
}

void *mono_jit_find_compiled_method(MonoDomain *domain, MonoMethod *m)
{
	(void)domain;
	assert_true(inside);
	return compiled[number_of(m)] ? m : NULL;
}

bool cofm_method_is_declined(const struct cofm_method *m)
{
	return m->declined != COFM_ACCEPTED;
}

void cofm_calls_read(struct cofm_method *m)
{
	int i = number_of(m->mono);

	m->n_calls = method[i].n_calls;
	m->call = calloc(4, sizeof(*m->call));
	memcpy(m->call, called[i], sizeof(called[i]));
}

uint64_t cofm_calls_hash(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	while (n-- > 0)
		hash = hash * 31 + *p++;
	return hash;
}

uint64_t cof_method_samples(const struct cof_method *m)
{
	return m->samples;
}

void *cof_data_alloc(struct cof *cof, size_t bytes, size_t align)
{
	(void)cof, (void)bytes, (void)align;
	return near_page + PAGE;
}

int cof_code_alloc(struct cof *cof, size_t bytes, enum cof_code_area area,
		   struct cof_code *out)
{
	(void)cof, (void)area;
	*out = (struct cof_code){ near_page, near_page, bytes };
	return 0;
}
