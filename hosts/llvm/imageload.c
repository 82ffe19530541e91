/*
 * imageload.c - names, then the object; see imageload.h
 */
#include "imageload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fatal.h"
#include "naming.h"
#include "loader.h"

static const char *name_at(const struct cofl_image *image, uint32_t name)
{
	return image->names + name;
}

/* NULL at the end. */
static char **names_of(const struct cofl_image *image,
		       enum cofl_image_part part, const uint32_t *name)
{
	size_t n = cofl_image_n(image, part);
	char **list = calloc(n + 1, sizeof(*list));

	for (size_t i = 0; list != NULL && i < n; i++)
		if ((list[i] = strdup(name_at(image, name[i]))) == NULL)
			cofl_fatal("out of memory");
	if (list == NULL)
		cofl_fatal("out of memory");
	return list;
}

static void note_hazards(struct cofl *host, const struct cofl_image *image,
			 const struct cofl_object *object)
{
	for (uint32_t i = 1; i < object->n_symbols; i++)
		if (object->symbol[i].st_shndx == SHN_UNDEF)
			cofl_link_hazard(host,
					 cofl_object_symbol_name(object, i));
	if (image->header->flags & COFL_IMAGE_MOVES_STACK)
		cof_reclaim_disable(host->cof,
				    "the program's inline assembly uses the stack pointer");
	if (image->header->flags & COFL_IMAGE_ASSEMBLY)
		cof_reclaim_disable(host->cof,
				    "the program has module-level assembly");
}

static void link_methods(struct cofl *host, const struct cofl_image *image)
{
	for (uint32_t i = 0; i < host->n_methods; i++) {
		const struct cofl_image_method *from = &image->method[i];
		struct cofl_method *m = &host->method[i];

		cofl_link_method(host, i, name_at(image, from->name));
		atomic_store_explicit(&m->n_instructions, from->n_instructions,
				      memory_order_relaxed);
		atomic_store_explicit(&m->keeps_labels,
				      from->flags & COFL_IMAGE_KEEPS_LABELS,
				      memory_order_relaxed);
		m->pinned = from->flags & COFL_IMAGE_PINNED;
	}
}

static bool open_object(const struct cofl_image *image,
			struct cofl_object *object, char *why, size_t why_bytes)
{
	if (cofl_object_open(object, image->object,
			     cofl_image_n(image, COFL_IMAGE_OBJECT)))
		return true;
	snprintf(why, why_bytes, "its image has no object file");
	return false;
}

bool cofl_image_load(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes)
{
	uint32_t n = (uint32_t)cofl_image_n(image, COFL_IMAGE_METHODS);
	struct cofl_object object;

	if (!open_object(image, &object, why, why_bytes))
		return false;
	cofl_link_begin(host, n, object.n_symbols);
	host->start_list = names_of(image, COFL_IMAGE_STARTS, image->start);
	host->end_list = names_of(image, COFL_IMAGE_ENDS, image->end);
	link_methods(host, image);
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_ALIASES); i++)
		cofl_link_alias(host, name_at(image, image->alias[i].name),
				name_at(image, image->alias[i].of));
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_IFUNCS); i++)
		cofl_link_ifunc(host, name_at(image, image->ifunc[i].name));
	if (cofl_symbol(&host->symbols, "main")->address == 0) {
		snprintf(why, why_bytes, "no main function in the program");
		return false;
	}
	note_hazards(host, image, &object);
	host->starts_from_image = true;
	return cofl_load_image(host, &object, true, why, why_bytes) == 0;
}

void cofl_image_resolve(struct cofl *host, const struct cofl_image *image)
{
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_IFUNCS); i++)
		cofl_link_resolve(host, name_at(image, image->ifunc[i].name),
				  name_at(image, image->ifunc[i].of));
}

/* The image was made from the same bytes, so this is no more than a check of
 * ourselves. */
static bool fits(const struct cofl *host, const struct cofl_image *image)
{
	if (cofl_image_n(image, COFL_IMAGE_METHODS) != host->n_methods)
		return false;
	for (uint32_t i = 0; i < host->n_methods; i++)
		if (strcmp(host->method[i].name,
			   name_at(image, image->method[i].name)) != 0)
			return false;
	return true;
}

bool cofl_image_adopt(struct cofl *host, const struct cofl_image *image,
		      char *why, size_t why_bytes)
{
	struct cofl_object object;

	if (!fits(host, image)) {
		snprintf(why, why_bytes, "its image has other functions");
		return false;
	}
	if (!open_object(image, &object, why, why_bytes))
		return false;
	for (uint32_t i = 0; i < host->n_methods; i++) {
		struct cofl_method *m = &host->method[i];
		uint32_t flags = image->method[i].flags;

		if (atomic_load_explicit(&m->n_instructions,
					 memory_order_relaxed) != 0)
			continue;
		atomic_store_explicit(&m->keeps_labels,
				      flags & COFL_IMAGE_KEEPS_LABELS,
				      memory_order_relaxed);
		atomic_store_explicit(&m->n_instructions,
				      image->method[i].n_instructions,
				      memory_order_relaxed);
	}
	return cofl_load_image(host, &object, false, why, why_bytes) == 0;
}
