/*
 * image_load.c - names, then the pieces; see image_load.h
 */
#include "image/image_load.h"

#include <stdio.h>
#include <string.h>

#include "dynlib/link_names.h"
#include "image/program_load.h"
#include "support/xcalloc.h"

static const char *name_at(const struct cofl_image *image, uint32_t name)
{
	return image->names + name;
}

/* NULL at the end. */
static char **names_of(const struct cofl_image *image,
		       enum cofl_image_part part, const uint32_t *name)
{
	size_t n = cofl_image_n(image, part);
	char **list = cofl_xcalloc(n, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = cofl_xcalloc_dup(name_at(image, name[i]));
	return list;
}

static void note_hazards(struct cofl *host, const struct cofl_object *object)
{
	for (uint32_t i = 1; i < object->n_symbols; i++)
		if (object->symbol[i].st_shndx == SHN_UNDEF)
			cofl_link_names_hazard(host,
					 cofl_object_symbol_name(object, i));
}

static void note_flags(struct cofl *host, const struct cofl_image *image)
{
	if (image->header->flags & COFL_IMAGE_MOVES_STACK)
		cof_reclaim_disable(host->cof,
				    "the program's inline assembly "
				    "uses the stack pointer");
	if (image->header->flags & COFL_IMAGE_ASSEMBLY)
		cof_reclaim_disable(host->cof,
				    "the program has module-level assembly");
}

static void link_methods(struct cofl *host, const struct cofl_image *image)
{
	for (uint32_t i = 0; i < host->n_methods; i++) {
		const struct cofl_image_method *from = &image->method[i];
		struct cofl_method *m = &host->method[i];

		cofl_link_names_method(host, i, name_at(image, from->name),
				       from->align);
		atomic_store_explicit(&m->n_instructions, from->n_instructions,
				      memory_order_relaxed);
		atomic_store_explicit(&m->keeps_blockaddresses,
				      from->flags &
				      COFL_IMAGE_KEEPS_BLOCKADDRESSES,
				      memory_order_relaxed);
		m->pinned = from->flags & COFL_IMAGE_PINNED;
	}
}

static bool open_piece(const struct cofl_image *image, size_t i,
		       struct cofl_object *object, char *why, size_t why_bytes)
{
	if (cofl_object_open(object, cofl_image_object(image, i),
			     image->piece[i].bytes))
		return true;
	snprintf(why, why_bytes, "its image has no object file");
	return false;
}

static bool load_others(struct cofl *host, const struct cofl_image *image,
			char *why, size_t why_bytes)
{
	struct cofl_object object;

	for (size_t i = 1; i < cofl_image_n(image, COFL_IMAGE_PIECES); i++) {
		if (!open_piece(image, i, &object, why, why_bytes))
			return false;
		note_hazards(host, &object);
		if (cofl_program_load_piece(host, &object,
					    COFL_PROGRAM_LOAD_CODE, why,
					    why_bytes) != 0)
			return false;
	}
	return true;
}

bool cofl_image_load(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes)
{
	uint32_t n = (uint32_t)cofl_image_n(image, COFL_IMAGE_METHODS);
	struct cofl_object object;

	if (!open_piece(image, 0, &object, why, why_bytes))
		return false;
	cofl_link_names_begin(host, n, object.n_symbols + n);
	host->start_list = names_of(image, COFL_IMAGE_STARTS, image->start);
	host->end_list = names_of(image, COFL_IMAGE_ENDS, image->end);
	link_methods(host, image);
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_ALIASES); i++)
		cofl_link_names_alias(host,
				      name_at(image, image->alias[i].name),
				      name_at(image, image->alias[i].of));
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_IFUNCS); i++)
		cofl_link_names_ifunc(host,
				      name_at(image, image->ifunc[i].name));
	if (cofl_symbols_get(&host->symbols, "main")->address == 0) {
		snprintf(why, why_bytes, "no main function in the program");
		return false;
	}
	note_flags(host, image);
	note_hazards(host, &object);
	host->starts_from_image = true;
	return cofl_program_load_first(host, &object, why, why_bytes) == 0;
}

bool cofl_image_bind(struct cofl *host, const struct cofl_image *image,
		     char *why, size_t why_bytes)
{
	if (cofl_program_load_bind(host, why, why_bytes) != 0 ||
	    !load_others(host, image, why, why_bytes))
		return false;
	for (size_t i = 0; i < cofl_image_n(image, COFL_IMAGE_IFUNCS); i++)
		cofl_link_names_resolve(host,
					name_at(image, image->ifunc[i].name),
					name_at(image, image->ifunc[i].of));
	return true;
}

/* A self-check only: the image was made from the same bytes. */
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

/* Set what was unknown of a method whose body was not read so far. */
static void learn(struct cofl_method *m, uint32_t n_instructions,
		  bool keeps_blockaddresses)
{
	if (atomic_load_explicit(&m->n_instructions, memory_order_relaxed) != 0)
		return;
	atomic_store_explicit(&m->keeps_blockaddresses, keeps_blockaddresses,
			      memory_order_relaxed);
	atomic_store_explicit(&m->n_instructions, n_instructions,
			      memory_order_relaxed);
}

bool cofl_image_adopt(struct cofl *host, const struct cofl_image *image,
		      char *why, size_t why_bytes)
{
	struct cofl_object object;

	if (!fits(host, image)) {
		snprintf(why, why_bytes, "its image has other functions");
		return false;
	}
	for (uint32_t i = 0; i < host->n_methods; i++)
		learn(&host->method[i], image->method[i].n_instructions,
		      image->method[i].flags & COFL_IMAGE_KEEPS_BLOCKADDRESSES);
	/* The first piece has the variables, which are placed already. */
	for (size_t i = 1; i < cofl_image_n(image, COFL_IMAGE_PIECES); i++)
		if (!open_piece(image, i, &object, why, why_bytes) ||
		    cofl_program_load_piece(host, &object,
					    COFL_PROGRAM_LOAD_LATER, why,
					    why_bytes) != 0)
			return false;
	return true;
}

int cofl_image_take(struct cofl *host, struct cofl_image_stream *stream,
		    char *why, size_t why_bytes)
{
	struct cofl_object object;
	const void *bytes;
	int taken = 0;
	size_t n;

	for (; cofl_image_stream_next(stream, &bytes, &n); taken++) {
		if (!cofl_object_open(&object, bytes, n)) {
			snprintf(why, why_bytes, "no object file");
			return -COF_E_INVAL;
		}
		/* Methods that keep labels are in no piece. */
		for (uint32_t i = 0; i < host->n_methods; i++) {
			uint32_t has =
				cofl_image_stream_instructions(stream, i);

			if (has != 0)
				learn(&host->method[i], has, false);
		}
		if (cofl_program_load_piece(host, &object,
					    COFL_PROGRAM_LOAD_LATER, why,
					    why_bytes) != 0)
			return -COF_E_INVAL;
	}
	return taken;
}
