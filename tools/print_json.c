/*
 * print_json.c - one look at a process, for programs
 */
#include "print_json.h"

#include <inttypes.h>
#include <string.h>

#include "derived.h"
#include "escape.h"
#include "units.h"

static void text(FILE *to, const char *key, const char *value)
{
	fprintf(to, ",\"%s\":", key);
	escape_json(to, value);
}

static void number(FILE *to, const char *key, uint64_t value)
{
	fprintf(to, ",\"%s\":%" PRIu64, key, value);
}

static void flag(FILE *to, const char *key, bool value)
{
	fprintf(to, ",\"%s\":%s", key, value ? "true" : "false");
}

/* The members of the head, without braces. */
static void head(FILE *to, const struct reader *r)
{
	const struct cof_share_header *h = &r->head;

	fprintf(to, "\"pid\":%" PRIu32, h->pid);
	text(to, "state", reader_state(r));
	flag(to, "libcof_stopped", h->stopped != 0);
	text(to, "host", h->host);
	text(to, "program", h->program);
	text(to, "version", h->version);
	number(to, "format", h->format);
	text(to, "mode", h->mode);
	text(to, "options", h->options);
	number(to, "start_wall_ns", h->start_wall_ns);
	number(to, "uptime_ns", reader_uptime_ns(r));
	number(to, "age_ns", reader_age_ns(r));
}

void json_print_head(FILE *to, const struct reader *r)
{
	fputc('{', to);
	head(to, r);
	fputc('}', to);
}

static const char *kind(uint32_t k)
{
	static const char *const name[] = {
		[COF_FLOW_IN] = "in", [COF_FLOW_OUT] = "out",
		[COF_FLOW_DROP] = "drop", [COF_FLOW_STAT] = "stat",
	};

	return k < sizeof(name) / sizeof(name[0]) ? name[k] : "unknown";
}

static void counters(FILE *to, const struct reader *r)
{
	fprintf(to, ",\"counters\":{");
	for (uint32_t i = 0; i < r->n; i++) {
		const struct cof_share_desc *d = &r->desc[i];

		if (i == 0 || strcmp(r->desc[i - 1].stage, d->stage) != 0) {
			fputs(i == 0 ? "" : "},", to);
			escape_json(to, d->stage);
			fputs(":{", to);
		} else {
			fputc(',', to);
		}
		escape_json(to, d->name);
		fprintf(to, ":{\"value\":%" PRIu64, r->value[i]);
		text(to, "unit", d->unit);
		text(to, "kind", kind(d->kind));
		text(to, "doc", d->doc);
		fputc('}', to);
	}
	fputs(r->n == 0 ? "}" : "}}", to);
}

static void hot(FILE *to, const struct reader *r)
{
	char plan[UNITS_TEXT], audit[UNITS_TEXT], state[UNITS_TEXT];

	fprintf(to, ",\"hot\":[");
	for (uint32_t i = 0; i < r->n_hot; i++) {
		const struct cof_share_hot *h = &r->hot[i];

		fprintf(to, "%s{\"method\":", i == 0 ? "" : ",");
		escape_json(to, h->name);
		number(to, "weight", h->weight);
		number(to, "calls", h->calls);
		number(to, "samples", h->samples);
		number(to, "number", h->number);
		text(to, "plan", units_plan(h->plan, plan));
		text(to, "state", units_state(h, state));
		flag(to, "settled", h->settled != 0);
		flag(to, "replaced", h->dead != 0);
		number(to, "start", h->start);
		number(to, "size_bytes", h->size_bytes);
		text(to, "audit", units_audit(h->audited, audit));
		fprintf(to, ",\"gain_permille\":%" PRId32, h->gain_permille);
		fputc('}', to);
	}
	fputc(']', to);
}

static void phases(FILE *to, const struct reader *r)
{
	uint64_t start = r->head.start_ns;

	fprintf(to, ",\"phases\":[");
	for (uint32_t i = 0; i < r->n_phase; i++) {
		const struct cof_share_phase *p = &r->phase[i];

		fprintf(to, "%s{\"at_ns\":%" PRIu64, i == 0 ? "" : ",",
			p->ns > start ? p->ns - start : 0);
		number(to, "generation", p->generation);
		number(to, "similarity_permille", p->similarity_permille);
		number(to, "phase", p->id);
		number(to, "returned", p->returned != 0);
		text(to, "heaviest", p->heaviest);
		fputc('}', to);
	}
	fputc(']', to);
}

static void derived(FILE *to, const struct reader *r)
{
	struct derived d = derived_of(r);
	const struct {
		const char         *key;
		struct derived_part part;
	} parts[] = {
		{ "code_reserved_bytes", d.reserved },
		{ "code_first_bytes", d.first }, { "code_hot_bytes", d.hot },
		{ "code_retired_bytes", d.retired }, { "data_bytes", d.data },
	};
	const char *comma = "";

	fprintf(to, ",\"derived\":{");
	if (d.overhead_known) {
		fprintf(to, "\"overhead_percent\":%.4f", d.overhead_pct);
		comma = ",";
	}
	if (d.builds_known) {
		fprintf(to, "%s\"builds_percent\":%.4f", comma, d.builds_pct);
		comma = ",";
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].part.known)
			continue;
		fprintf(to, "%s\"%s\":%" PRIu64, comma, parts[i].key,
			parts[i].part.value);
		comma = ",";
	}
	fputc('}', to);
}

void json_print(FILE *to, const struct reader *r)
{
	fputc('{', to);
	head(to, r);
	text(to, "source", r->head.source);
	text(to, "source_why", r->head.source_why);
	text(to, "reclaim_off", r->head.reclaim_off);
	number(to, "torn_rows", r->torn);
	derived(to, r);
	hot(to, r);
	phases(to, r);
	counters(to, r);
	fputs("}\n", to);
}
