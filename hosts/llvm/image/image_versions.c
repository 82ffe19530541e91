/*
 * image_versions.c - pinned methods, and the methods of an image; see
 * image_versions.h
 */
#include "image/image_versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/xcalloc.h"

int cofl_image_versions_add_pinned(struct cofl_section_placement *place,
				   const struct cof_code *text)
{
	struct cofl *host = place->host;

	for (uint32_t i = 0; i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];
		struct cof_version_desc desc;
		struct cofl_version *version;
		char body[512];
		int err;

		if (!m->pinned)
			continue;
		snprintf(body, sizeof(body), "%s.pinned", m->name);
		version = cofl_xcalloc(1, sizeof(*version));
		desc = (struct cof_version_desc){
			.size = sizeof(desc),
			.data = version,
			.start = (const void *)
				cofl_section_placement_find(place, body),
			.size_bytes = 16,
		};
		if (desc.start == NULL || text->exec == NULL) {
			snprintf(place->why, place->why_bytes, "no code for %s",
				 m->name);
			free(version);
			return -COF_E_INVAL;
		}
		for (uint32_t k = 1; k < place->object->n_symbols; k++)
			if (strcmp(cofl_object_symbol_name(place->object, k),
				   body) == 0)
				desc.size_bytes =
					place->object->symbol[k].st_size;
		err = cof_version_add(m->method, &desc);
		if (err != 0)
			return err;
	}
	return 0;
}

/* -- Images ---------------------------------------------------------------- */

/* A method's code in the object. */
struct body {
	uintptr_t           start, end;
	struct cofl_method *method;
};

static int by_start(const void *a, const void *b)
{
	const struct body *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int by_rel32(const void *a, const void *b)
{
	const struct cof_call_site *x = a, *y = b;

	return (x->rel32 > y->rel32) - (x->rel32 < y->rel32);
}

/* Mostly sorted already: LLVM writes a section's relocations in order. */
static void sort_calls(struct cof_call_site *calls, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (by_rel32(&calls[i - 1], &calls[i]) <= 0)
			continue;
		qsort(calls, n, sizeof(*calls), by_rel32);
		return;
	}
}

/* The bodies of all methods in the object, by address. */
static struct body *list_bodies(struct cofl_section_placement *place, size_t *n)
{
	const struct cofl_object *o = place->object;
	struct body *list = cofl_xcalloc(place->host->n_methods, sizeof(*list));

	*n = 0;
	for (uint32_t i = 1; i < o->n_symbols; i++) {
		const Elf64_Sym *sym = &o->symbol[i];
		struct cofl_symbol *s;

		if (ELF64_ST_TYPE(sym->st_info) != STT_FUNC ||
		    ELF64_ST_BIND(sym->st_info) == STB_LOCAL ||
		    sym->st_shndx == SHN_UNDEF ||
		    sym->st_shndx >= SHN_LORESERVE || sym->st_size == 0 ||
		    place->run[sym->st_shndx] == 0)
			continue;
		s = cofl_symbols_get(&place->host->symbols,
				cofl_object_symbol_name(o, i));
		if (s->method == NULL || *n == place->host->n_methods)
			continue;
		list[*n].start = place->run[sym->st_shndx] + sym->st_value;
		list[*n].end = list[*n].start + sym->st_size;
		list[(*n)++].method = s->method;
	}
	qsort(list, *n, sizeof(*list), by_start);
	return list;
}

static int add_version(const struct cofl_piece *piece, const struct body *body,
		       const struct cof_call_site *calls, size_t n_calls)
{
	struct cofl_method *m = body->method;
	struct cofl *host = m->host;
	struct cofl_version *version = &host->image_version[m->number];
	int err;

	version->of_image = piece;
	err = cof_version_add(m->method, &(struct cof_version_desc){
		.size = sizeof(struct cof_version_desc),
		.start = (const void *)body->start,
		.size_bytes = body->end - body->start,
		.plan = COF_PLAN_AVERAGE, .data = version,
		.calls = calls, .n_calls = n_calls,
	});
	atomic_store_explicit(&m->compiled, true, memory_order_release);
	return err;
}

/* The program runs: does this method want a version from the image? */
static int add_later(const struct cofl_piece *piece, const struct body *body,
		     const struct cof_call_site *calls, size_t n_calls)
{
	struct cofl_method *m = body->method;
	struct cofl *host = m->host;
	pthread_mutex_t *held;
	int err = 0;

	if (m->pinned || host->image_version[m->number].of_image != NULL ||
	    atomic_load_explicit(&m->keeps_blockaddresses,
				 memory_order_relaxed))
		return 0;
	/* No first version may be added after this one. */
	held = cofl_guest_lock(&host->guest_lock);
	if (!atomic_load_explicit(&m->claimed, memory_order_relaxed))
		err = add_version(piece, body, calls, n_calls);
	cofl_guest_lock_unlock(held);
	return err;
}

int cofl_image_versions_add(struct cofl_section_placement *place,
			    const struct cofl_piece *piece, bool begins)
{
	struct cofl *host = place->host;
	struct cof_call_site *calls = place->calls;
	size_t n, at = 0, end;
	struct body *body = list_bodies(place, &n);
	int err = 0;

	sort_calls(calls, place->n_calls);
	if (host->image_version == NULL)
		host->image_version = cofl_xcalloc(host->n_methods,
						sizeof(*host->image_version));
	for (size_t i = 0; i < n && err == 0; i++) {
		while (at < place->n_calls &&
		       (uintptr_t)calls[at].rel32 < body[i].start)
			at++;
		for (end = at; end < place->n_calls &&
			       (uintptr_t)calls[end].rel32 < body[i].end;)
			end++;
		err = (begins ? add_version : add_later)(piece, &body[i],
							 calls + at, end - at);
		at = end;
	}
	if (err != 0)
		snprintf(place->why, place->why_bytes, "code memory is full");
	free(body);
	return err;
}
