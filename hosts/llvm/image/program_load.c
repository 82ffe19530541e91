/*
 * program_load.c - objects of a program's data and image; see program_load.h
 */
#include "image/program_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "dynlib/exports.h"
#include "image/image_versions.h"
#include "link/layout.h"
#include "link/osr_points.h"
#include "link/section_placement.h"
#include "link/tls.h"
#include "support/startup.h"
#include "link/unwind_tables.h"
#include "support/xcalloc.h"

static const struct cofl_piece *
new_piece(const struct cofl_section_placement *place,
	  const struct cof_code *text)
{
	struct cofl_piece *piece = cofl_xcalloc(1, sizeof(*piece));

	piece->text = *text;
	piece->words = (void *)
		cofl_section_placement_find(place, COFL_OSR_POINTS_WORDS);
	piece->bases = (const void *)
		cofl_section_placement_find(place, COFL_OSR_POINTS_BASES);
	if (piece->words != NULL && piece->bases != NULL)
		piece->records = cofl_section_placement_find_section(
			place, COFL_OSR_POINTS_SECTION, &piece->record_bytes);
	return piece;
}

typedef int add_fn(struct cofl_section_placement *place,
		   const struct cofl_piece *piece);

/* An object that is placed and not bound so far. */
struct cofl_loading {
	struct cofl_object object;
	struct cofl_section_placement place;
	struct cof_code    text, fixed;
	void              *eh_frame;	/* NULL: none */
	bool               defines;	/* the program's variables */
	char              *tls;		/* their image; NULL: none */
	size_t             tls_bytes;
	add_fn            *add;		/* adds this piece's versions */
};

static void define(struct cofl_loading *l)
{
	size_t size = 0, align = 1;

	l->tls = cofl_exports_tls(&l->place, &l->tls_bytes, &size, &align);
	cofl_tls_measured(size, align);
	cofl_exports_symbols(&l->place);
	cofl_exports_bounds(&l->place);
	cofl_exports_ends(&l->place);
}

/* Under the loader's lock. */
static int place(struct cofl_loading *l)
{
	struct cofl_section_placement *place = &l->place;
	struct cofl *host = place->host;
	uint64_t n_text = cofl_layout(place, cofl_layout_text, NULL, NULL);
	struct cof_code data;
	int err = 0;

	if (n_text != 0) {
		err = cof_code_alloc(host->cof, n_text, COF_CODE_FIRST,
				     &l->text);
		if (err != 0)
			snprintf(place->why, place->why_bytes,
				 "code memory is full");
		else
			cofl_layout(place, cofl_layout_text, &l->text, NULL);
	}
	if (err == 0)
		err = cofl_layout_plain(place, cofl_layout_read_only,
					&l->eh_frame, &l->fixed);
	if (err == 0)
		err = cofl_layout_plain(place, cofl_layout_writable, NULL,
					&data);
	if (err == 0 && l->defines)
		define(l);
	return err;
}

/* Under the loader's lock. */
static int bind(struct cofl_loading *l)
{
	int err = cofl_section_placement_bind(&l->place);

	if (l->defines)
		cofl_tls_image(l->tls, l->tls_bytes);
	if (err == 0 && l->fixed.exec != NULL &&
	    mprotect(l->fixed.exec, l->fixed.size_bytes, PROT_READ) != 0)
		err = -COF_E_PERM;
	if (err == 0 && l->eh_frame != NULL)
		cofl_unwind_tables_add(l->eh_frame, l->text.exec,
				       l->text.size_bytes);
	return err;
}

static void end(struct cofl_loading *l)
{
	cofl_section_placement_free(&l->place);
	free(l->place.calls);
	cofl_startup_part(COFL_STARTUP_NAMES);
}

static int place_object(struct cofl *host, struct cofl_loading *l, char *why,
			size_t why_bytes)
{
	int err;

	cofl_startup_part(COFL_STARTUP_PLACE);
	cofl_section_placement_init(&l->place, host, &l->object, why,
				    why_bytes);
	pthread_mutex_lock(&host->loader_lock);
	err = place(l);
	pthread_mutex_unlock(&host->loader_lock);
	if (err != 0)
		end(l);
	return err;
}

static int bind_object(struct cofl_loading *l)
{
	struct cofl *host = l->place.host;
	int err;

	cofl_startup_part(COFL_STARTUP_PLACE);
	pthread_mutex_lock(&host->loader_lock);
	err = bind(l);
	pthread_mutex_unlock(&host->loader_lock);
	cofl_startup_part(COFL_STARTUP_VERSIONS);
	if (err == 0)
		err = l->add(&l->place, new_piece(&l->place, &l->text));
	end(l);
	return err;
}

static int add_pinned(struct cofl_section_placement *place,
		      const struct cofl_piece *piece)
{
	return cofl_image_versions_add_pinned(place, &piece->text);
}

static int add_all(struct cofl_section_placement *place,
		   const struct cofl_piece *piece)
{
	return cofl_image_versions_add(place, piece, true);
}

static int add_wanted(struct cofl_section_placement *place,
		      const struct cofl_piece *piece)
{
	return cofl_image_versions_add(place, piece, false);
}

static int place_first(struct cofl *host, const struct cofl_object *object,
		       add_fn *add, char *why, size_t why_bytes)
{
	struct cofl_loading *l = cofl_xcalloc(1, sizeof(*l));
	int err;

	*l = (struct cofl_loading){ .object = *object, .defines = true,
				    .add = add };
	err = place_object(host, l, why, why_bytes);
	if (err == 0)
		host->loading = l;
	else
		free(l);
	return err;
}

int cofl_program_load_data(struct cofl *host, const void *bytes, size_t n,
			   char *why, size_t why_bytes)
{
	struct cofl_object object;

	if (!cofl_object_open(&object, bytes, n)) {
		snprintf(why, why_bytes, "LLVM made no object file");
		return -COF_E_INVAL;
	}
	return place_first(host, &object, add_pinned, why, why_bytes);
}

int cofl_program_load_first(struct cofl *host, const struct cofl_object *object,
			    char *why, size_t why_bytes)
{
	return place_first(host, object, add_all, why, why_bytes);
}

int cofl_program_load_bind(struct cofl *host, char *why, size_t why_bytes)
{
	struct cofl_loading *l = host->loading;
	int err;

	l->place.why = why;
	l->place.why_bytes = why_bytes;
	err = bind_object(l);
	free(l);
	host->loading = NULL;
	return err;
}

int cofl_program_load_piece(struct cofl *host, const struct cofl_object *object,
			    enum cofl_program_load as, char *why,
			    size_t why_bytes)
{
	struct cofl_loading l = {
		.object = *object,
		.add = as == COFL_PROGRAM_LOAD_LATER ? add_wanted : add_all,
	};
	int err = place_object(host, &l, why, why_bytes);

	return err != 0 ? err : bind_object(&l);
}
