/*
 * stats_descs.c - copy flow.def's table, with the host's names
 */
#include "stats/stats_descs.h"

#include "code/improved.h"
#include "cof.h"
#include "stats/stats_file.h"
#include "stats/stats_text.h"

static void fill(struct cof_stats_file_desc *to, const struct cof_flow_desc *d)
{
	cof_stats_text_copy(to->stage, sizeof(to->stage), d->stage);
	cof_stats_text_copy(to->name, sizeof(to->name), d->name);
	cof_stats_text_copy(to->unit, sizeof(to->unit), d->unit);
	cof_stats_text_copy(to->doc, sizeof(to->doc), d->doc);
	to->kind = d->kind;
	to->offset = (uint32_t)d->offset;
}

void cof_stats_descs_fill(struct cof_stats_file_header *h,
			  const struct cof_reason *reason, size_t n_reasons)
{
	size_t own = cof_flow_table_len - COF_IMPROVED_HOST_REASONS;
	struct cof_stats_file_desc *to = (struct cof_stats_file_desc *)
		(void *)((char *)h + h->desc_offset);

	for (size_t i = 0; i < own; i++)
		fill(&to[i], &cof_flow_table[i]);
	for (size_t i = 0; i < n_reasons; i++) {
		struct cof_flow_desc d = cof_flow_table[own + i];

		d.name = reason[i].name;
		d.doc = reason[i].text;
		fill(&to[own + i], &d);
	}
	/* A reader sees them once they are there. */
	__atomic_store_n(&h->n_desc, (uint32_t)(own + n_reasons),
			 __ATOMIC_RELEASE);
}
