/*
 * print_json.c - one look at a process, for programs
 */
#include "print_json.h"

#include <string.h>

#include "derived.h"
#include "units.h"

/* The members that tell which process this is. */
static void head(struct json_writer *w, const struct reader *r)
{
	const struct cof_stats_file_header *h = &r->head;

	json_writer_uint(w, "pid", h->pid);
	json_writer_uint(w, "service", h->service_pid);
	json_writer_text(w, "state", reader_state(r));
	json_writer_bool(w, "libcof_stopped", h->stopped != 0);
	json_writer_text(w, "host", h->host);
	json_writer_text(w, "program", h->program);
	json_writer_text(w, "version", h->version);
	json_writer_uint(w, "format", h->format);
	json_writer_text(w, "mode", h->mode);
	json_writer_text(w, "options", h->options);
	json_writer_uint(w, "start_wall_ns", h->start_wall_ns);
	json_writer_uint(w, "uptime_ns", reader_uptime_ns(r));
	json_writer_uint(w, "age_ns", reader_age_ns(r));
}

void print_json_head(struct json_writer *w, const struct reader *r)
{
	json_writer_object(w, NULL);
	head(w, r);
	json_writer_end(w);
}

static const char *kind(uint32_t k)
{
	static const char *const name[] = {
		[COF_FLOW_IN] = "in", [COF_FLOW_OUT] = "out",
		[COF_FLOW_DROP] = "drop", [COF_FLOW_STAT] = "stat",
	};

	return k < sizeof(name) / sizeof(name[0]) ? name[k] : "unknown";
}

static void counters(struct json_writer *w, const struct reader *r)
{
	const char *stage = NULL;

	json_writer_object(w, "counters");
	for (uint32_t i = 0; i < r->n; i++) {
		const struct cof_stats_file_desc *d = &r->desc[i];

		if (!stage || strcmp(stage, d->stage) != 0) {
			if (stage)
				json_writer_end(w);
			json_writer_object(w, stage = d->stage);
		}
		json_writer_object(w, d->name);
		json_writer_uint(w, "value", r->value[i]);
		json_writer_text(w, "unit", d->unit);
		json_writer_text(w, "kind", kind(d->kind));
		json_writer_text(w, "doc", d->doc);
		json_writer_end(w);
	}
	if (stage)
		json_writer_end(w);
	json_writer_end(w);
}

static void hot(struct json_writer *w, const struct reader *r)
{
	char plan[UNITS_TEXT], audit[UNITS_TEXT], state[UNITS_TEXT];

	json_writer_array(w, "hot");
	for (uint32_t i = 0; i < r->n_hot; i++) {
		const struct cof_stats_file_hot *h = &r->hot[i];

		json_writer_object(w, NULL);
		json_writer_text(w, "method", h->name);
		json_writer_uint(w, "weight", h->weight);
		json_writer_uint(w, "calls", h->calls);
		json_writer_uint(w, "samples", h->samples);
		json_writer_uint(w, "number", h->number);
		json_writer_text(w, "plan", units_plan(h->plan, plan));
		json_writer_text(w, "state", units_state(h, state));
		json_writer_bool(w, "settled", h->settled != 0);
		json_writer_bool(w, "replaced", h->dead != 0);
		json_writer_uint(w, "start", h->start);
		json_writer_uint(w, "size_bytes", h->size_bytes);
		json_writer_text(w, "audit", units_audit(h->audited, audit));
		json_writer_int(w, "gain_permille", h->gain_permille);
		json_writer_uint(w, "speed_permille", h->speed_permille);
		json_writer_end(w);
	}
	json_writer_end(w);
}

static void phases(struct json_writer *w, const struct reader *r)
{
	uint64_t start = r->head.start_ns;

	json_writer_array(w, "phases");
	for (uint32_t i = 0; i < r->n_phase; i++) {
		const struct cof_stats_file_phase *p = &r->phase[i];

		json_writer_object(w, NULL);
		json_writer_uint(w, "at_ns", p->ns > start ? p->ns - start : 0);
		json_writer_uint(w, "generation", p->generation);
		json_writer_uint(w, "similarity_permille",
				 p->similarity_permille);
		json_writer_uint(w, "phase", p->id);
		json_writer_uint(w, "returned", p->returned != 0);
		json_writer_text(w, "heaviest", p->heaviest);
		json_writer_end(w);
	}
	json_writer_end(w);
}

static void part(struct json_writer *w, const char *key,
		 struct derived_part part)
{
	if (part.known)
		json_writer_uint(w, key, part.value);
}

static void percent(struct json_writer *w, const char *key,
		    struct derived_percent percent)
{
	if (percent.known)
		json_writer_real(w, key, percent.value);
}

static void derived(struct json_writer *w, const struct reader *r)
{
	struct derived d = derived_of(r, NULL);

	json_writer_object(w, "derived");
	json_writer_text(w, "loop", derived_loop_name(d.loop));
	percent(w, "overhead_percent", d.overhead);
	percent(w, "builds_percent", d.builds);
	percent(w, "recompiled_percent", d.recompiled);
	percent(w, "saved_percent", d.saved);
	part(w, "code_reserved_bytes", d.reserved);
	part(w, "code_first_bytes", d.first);
	part(w, "code_hot_bytes", d.hot);
	part(w, "code_retired_bytes", d.retired);
	part(w, "data_bytes", d.data);
	json_writer_end(w);
}

void print_json(FILE *to, const struct reader *r)
{
	struct json_writer w = { .to = to };

	json_writer_object(&w, NULL);
	head(&w, r);
	json_writer_text(&w, "source", r->head.source);
	json_writer_text(&w, "source_why", r->head.source_why);
	json_writer_text(&w, "reclaim_off", r->head.reclaim_off);
	json_writer_uint(&w, "torn_rows", r->torn);
	derived(&w, r);
	hot(&w, r);
	phases(&w, r);
	counters(&w, r);
	json_writer_end(&w);
	fputc('\n', to);
}
