/*
 * loader.c - load and unload the objects of versions; see loader.h
 */
#include "link/loader.h"

#include <stdio.h>
#include <stdlib.h>

#include "link/layout.h"
#include "link/osr_points.h"
#include "link/section_placement.h"
#include "link/unwind_tables.h"
#include "support/xcalloc.h"

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

int cofl_loader_load(struct cofl *host, const void *bytes, size_t n,
		     const char *body, enum cof_plan plan,
		     struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct cofl_version *version = cofl_xcalloc(1, sizeof(*version));
	struct cofl_object object;
	struct cofl_section_placement place;
	int err;

	if (!cofl_object_open(&object, bytes, n)) {
		snprintf(why, why_bytes, "LLVM made no object file");
		free(version);
		return -COF_E_INVAL;
	}
	*out = (struct cof_version_desc){ .size = sizeof(*out), .plan = plan,
					  .data = version };
	cofl_section_placement_init(&place, host, &object, why, why_bytes);
	pthread_mutex_lock(&host->loader_lock);
	err = load_code(&place, body, out, &version->eh_frame);
	if (err == 0 && version->eh_frame != NULL)
		cofl_unwind_tables_add(version->eh_frame, out->block.exec,
				       out->block.size_bytes);
	pthread_mutex_unlock(&host->loader_lock);
	if (err == 0)
		version->records = cofl_section_placement_find_section(
			&place, COFL_OSR_POINTS_SECTION,
			&version->record_bytes);
	cofl_section_placement_free(&place);
	if (err != 0) {
		free(place.calls);
		free(version);
		return err;
	}
	version->calls = place.calls;
	version->n_calls = place.n_calls;
	out->start = out->block.exec;
	out->size_bytes = out->block.size_bytes;
	out->calls = version->calls;
	out->n_calls = version->n_calls;
	out->eh_frame = version->eh_frame;
	out->eh_frame_bytes = cofl_layout_eh_frame_bytes(&object);
	return 0;
}

void cofl_loader_unload(struct cofl_version *version)
{
	if (version == NULL || version->is_native)
		return;		/* the executable stays to the end */
	if (version->eh_frame != NULL)
		cofl_unwind_tables_remove(version->eh_frame);
	cofl_osr_points_free(version->points);
	free(version->inlined);
	free(version->calls);
	free(version);
}
