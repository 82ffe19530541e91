/*
 * programload.c - objects of a program's data, and of its image
 */
#include "programload.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "bodies.h"
#include "exports.h"
#include "layout.h"
#include "place.h"
#include "point.h"
#include "room.h"
#include "startup.h"
#include "tls.h"
#include "unwind.h"

static const struct cofl_piece *new_piece(const struct cofl_place *place,
					  const struct cof_code *text)
{
	struct cofl_piece *piece = cofl_room(1, sizeof(*piece));

	piece->text = *text;
	piece->words = (void *)cofl_place_find(place, COFL_POINT_WORDS);
	piece->bases = (const void *)cofl_place_find(place, COFL_POINT_BASES);
	if (piece->words != NULL && piece->bases != NULL)
		piece->records = cofl_place_find_section(
			place, COFL_POINT_SECTION, &piece->record_bytes);
	return piece;
}

/* Under the loader's lock. */
static int load_program(struct cofl_place *place, bool defines,
			struct cof_code *text, void **eh_frame)
{
	struct cofl *host = place->host;
	uint64_t n_text = cofl_layout(place, cofl_layout_text, NULL, NULL);
	size_t tls_bytes = 0, tls_size = 0, tls_align = 1;
	struct cof_code fixed, data;
	char *image = NULL;
	int err = 0;

	if (n_text != 0) {
		err = cof_code_alloc(host->cof, n_text, COF_CODE_FIRST, text);
		if (err != 0)
			snprintf(place->why, place->why_bytes,
				 "code memory is full");
		else
			cofl_layout(place, cofl_layout_text, text, NULL);
	}
	if (err == 0)
		err = cofl_layout_plain(place, cofl_layout_read_only, eh_frame,
					&fixed);
	if (err == 0)
		err = cofl_layout_plain(place, cofl_layout_writable, NULL,
					&data);
	if (err != 0)
		return err;
	if (defines) {
		image = cofl_exports_tls(place, &tls_bytes, &tls_size,
					 &tls_align);
		cofl_tls_measured(tls_size, tls_align);
		cofl_exports_symbols(place);
		cofl_exports_bounds(place);
		cofl_exports_ends(place);
	}
	err = cofl_place_bind(place);
	if (defines)
		cofl_tls_image(image, tls_bytes);
	if (err == 0 && fixed.exec != NULL &&
	    mprotect(fixed.exec, fixed.size_bytes, PROT_READ) != 0)
		err = -COF_E_PERM;
	if (err == 0 && *eh_frame != NULL)
		__register_frame(*eh_frame);
	return err;
}

/* `defines`: the program's variables. `add`: its versions, from this piece. */
typedef int add_fn(struct cofl_place *place, const struct cofl_piece *piece);

static int load(struct cofl *host, const struct cofl_object *object,
		bool defines, add_fn *add, char *why, size_t why_bytes)
{
	struct cofl_place place;
	struct cof_code text = { 0 };
	void *eh_frame = NULL;
	int err;

	cofl_startup_part(COFL_STARTUP_PLACE);
	cofl_place_init(&place, host, object, why, why_bytes);
	pthread_mutex_lock(&host->loader_lock);
	err = load_program(&place, defines, &text, &eh_frame);
	pthread_mutex_unlock(&host->loader_lock);
	cofl_startup_part(COFL_STARTUP_VERSIONS);
	if (err == 0)
		err = add(&place, new_piece(&place, &text));
	cofl_place_free(&place);
	free(place.calls);
	cofl_startup_part(COFL_STARTUP_NAMES);
	return err;
}

static int add_pinned(struct cofl_place *place, const struct cofl_piece *piece)
{
	return cofl_bodies_pinned(place, &piece->text);
}

static int add_all(struct cofl_place *place, const struct cofl_piece *piece)
{
	return cofl_bodies_image(place, piece, true);
}

static int add_wanted(struct cofl_place *place, const struct cofl_piece *piece)
{
	return cofl_bodies_image(place, piece, false);
}

int cofl_load_data(struct cofl *host, const void *bytes, size_t n, char *why,
		   size_t why_bytes)
{
	struct cofl_object object;

	if (!cofl_object_open(&object, bytes, n)) {
		snprintf(why, why_bytes, "LLVM made no object file");
		return -COF_E_INVAL;
	}
	return load(host, &object, true, add_pinned, why, why_bytes);
}

int cofl_load_piece(struct cofl *host, const struct cofl_object *object,
		    enum cofl_load as, char *why, size_t why_bytes)
{
	return load(host, object, as == COFL_LOAD_FIRST,
		    as == COFL_LOAD_LATER ? add_wanted : add_all, why,
		    why_bytes);
}
