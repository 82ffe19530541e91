/*
 * loader.c - load and unload the objects of versions; see loader.h
 */
#include "link/loader.h"

#include <stdio.h>
#include <stdlib.h>

#include "link/layout.h"
#include "link/osr_points.h"
#include "link/process_words.h"
#include "link/section_placement.h"
#include "link/unwind_tables.h"
#include "support/recover.h"

/* Under the loader's lock. */
static int load_code(struct cofl_section_placement *place, const char *body,
		     struct cof_version_desc *out, void **eh_frame)
{
	struct cofl *host = place->host;
	enum cof_code_area area = out->plan == COF_PLAN_NONE ? COF_CODE_FIRST :
							       COF_CODE_HOT;
	uint64_t n = cofl_layout(place, NULL, NULL);
	int err = cof_code_alloc(host->cof, n, area, &out->block);

	if (err != 0) {
		snprintf(place->why, place->why_bytes, "code memory is full");
		return err;
	}
	cofl_layout(place, &out->block, eh_frame);
	err = cofl_section_placement_bind(place);
	out->entry = (const void *)cofl_section_placement_find(place, body);
	if (err == 0 && out->entry == NULL) {
		snprintf(place->why, place->why_bytes, "no code for %s", body);
		err = -COF_E_INVAL;
	}
	if (err != 0)
		cof_code_free(host->cof, &out->block);
	return err;
}

struct loading {
	struct cofl_section_placement place;
	struct cofl_object            object;
	struct cofl_version          *version;
	const char                   *body;
	struct cof_version_desc      *out;
	struct cofl                  *host;
	char                         *why;
	size_t                        why_bytes;
	int                           err;
};

/* Under the loader's lock. */
static void load_object(void *arg)
{
	struct loading *l = arg;
	struct cof_version_desc *out = l->out;

	cofl_section_placement_init(&l->place, l->host, &l->object, l->why,
				    l->why_bytes);
	l->err = load_code(&l->place, l->body, out, &l->version->eh_frame);
	if (l->err == 0 && l->version->eh_frame != NULL)
		cofl_unwind_tables_add(l->version->eh_frame, out->block.exec,
				       out->block.size_bytes);
}

static struct cofl_process_words *
words_of(const struct cofl_section_placement *place, const struct cof_code *at)
{
	size_t bytes = 0;
	const void *words = cofl_section_placement_find_section(
		place, COFL_PROCESS_WORDS_SECTION, &bytes);

	if (bytes < sizeof(struct cofl_process_words))
		return NULL;
	return (void *)((char *)at->write +
			((const char *)words - (const char *)at->exec));
}

int cofl_loader_load(struct cofl *host, const void *bytes, size_t n,
		     const char *body, enum cof_plan plan,
		     struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct cofl_version *version = calloc(1, sizeof(*version));
	struct loading l = { .version = version, .body = body, .out = out,
			     .host = host, .why = why, .why_bytes = why_bytes };

	if (version == NULL) {
		snprintf(why, why_bytes, "out of memory");
		return -COF_E_NOMEM;
	}
	if (!cofl_object_open(&l.object, bytes, n)) {
		snprintf(why, why_bytes, "LLVM made no object file");
		free(version);
		return -COF_E_INVAL;
	}
	*out = (struct cof_version_desc){ .size = sizeof(*out), .plan = plan,
					  .data = version };
	if (!cofl_recover_locked(&host->loader_lock, load_object, &l, why,
				 why_bytes)) {
		l.err = -COF_E_NOMEM;
		if (out->block.exec != NULL)
			cof_code_free(host->cof, &out->block);
	}
	if (l.err == 0) {
		version->records = cofl_section_placement_find_section(
			&l.place, COFL_OSR_POINTS_SECTION,
			&version->record_bytes);
		version->words = words_of(&l.place, &out->block);
	}
	cofl_section_placement_free(&l.place);
	if (l.err != 0) {
		free(l.place.calls);
		free(version);
		return l.err;
	}
	version->calls = l.place.calls;
	version->n_calls = l.place.n_calls;
	out->start = out->block.exec;
	out->size_bytes = out->block.size_bytes;
	out->calls = version->calls;
	out->n_calls = version->n_calls;
	out->eh_frame = version->eh_frame;
	out->eh_frame_bytes = cofl_layout_eh_frame_bytes(&l.object);
	return 0;
}

bool cofl_loader_add_points(struct cof_version_desc *desc,
			    struct cofl_osr_points *points)
{
	struct cofl_version *version = desc->data;

	if (version->records == NULL || version->words == NULL ||
	    !cofl_osr_points_place(points, &desc->block, version->records,
				   version->record_bytes))
		return false;
	version->words->point = points->word;
	version->points = points;
	return true;
}

void cofl_loader_unload(struct cofl *host, struct cofl_version *version)
{
	if (version == NULL || version->is_native)
		return;		/* the executable stays to the end */
	if (version->eh_frame != NULL) {
		pthread_mutex_lock(&host->loader_lock);
		cofl_unwind_tables_remove(version->eh_frame);
		pthread_mutex_unlock(&host->loader_lock);
	}
	cofl_osr_points_free(version->points);
	free(version->inlined);
	free(version->calls);
	free(version);
}
