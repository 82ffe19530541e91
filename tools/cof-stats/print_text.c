/*
 * print_text.c - all that one look at a process shows, for people
 */
#include "print_text.h"

#include <inttypes.h>
#include <string.h>

#include "print_head.h"
#include "escape.h"
#include "units.h"

#define WATCHED_METHODS 10u	/* shown with rates, heaviest first */

/* -- Methods and phases ---------------------------------------------------- */

static void print_hot(FILE *to, const struct reader *r, uint32_t most)
{
	char plan[UNITS_TEXT], audit[UNITS_TEXT], gain[UNITS_TEXT];
	char state[UNITS_TEXT];

	if (r->n_hot == 0)
		return;
	fprintf(to, "\n%6s %6s %10s %7s %-8s %-8s %-7s %9s %8s  %s\n",
		"weight", "calls", "samples", "version", "plan", "state",
		"audit", "gain", "bytes", "method");
	for (uint32_t i = 0; i < r->n_hot && i < most; i++) {
		const struct cof_stats_file_hot *h = &r->hot[i];

		fprintf(to, "%6" PRIu32 " %6" PRIu32 " %10" PRIu64 " %7" PRIu32
			" %-8s %-8s %-7s %9s %8" PRIu64 "  ", h->weight,
			h->calls, h->samples, h->number,
			units_plan(h->plan, plan),
			units_state(h, state),
			units_audit(h->audited, audit),
			units_gain(h->audited, h->gain_permille, gain),
			h->size_bytes);
		escape_text(to, h->name, 0);
		fputc('\n', to);
	}
}

static void print_phases(FILE *to, const struct reader *r)
{
	char at[UNITS_TEXT];

	if (r->n_phase == 0)
		return;
	fprintf(to, "\n%12s %10s %10s %6s %-4s  %s\n", "phase at",
		"generation", "similarity", "phase", "", "heaviest method");
	for (uint32_t i = 0; i < r->n_phase; i++) {
		const struct cof_stats_file_phase *p = &r->phase[i];
		uint64_t start = r->head.start_ns;

		fprintf(to, "%12s %10" PRIu64 " %10" PRIu32 " ",
			units_time(p->ns > start ? p->ns - start : 0, at),
			p->generation, p->similarity_permille);
		if (p->id != 0)
			fprintf(to, "%6" PRIu16 " %-4s  ", p->id,
				p->returned ? "back" : "new");
		else
			fprintf(to, "%6s %-4s  ", "-", "");
		escape_text(to, p->heaviest, 0);
		fputc('\n', to);
	}
}

/* -- Counters -------------------------------------------------------------- */

static const char *mark(uint32_t kind)
{
	static const char *const name[] = {
		[COF_FLOW_IN] = "in", [COF_FLOW_OUT] = "out",
		[COF_FLOW_DROP] = "drop", [COF_FLOW_STAT] = "",
	};

	return kind < sizeof(name) / sizeof(name[0]) ? name[kind] : "?";
}

static void print_stage(FILE *to, const struct reader *r, uint32_t i)
{
	if (i > 0 && strcmp(r->desc[i - 1].stage, r->desc[i].stage) == 0)
		return;
	fputc('\n', to);
	escape_text(to, r->desc[i].stage, 0);
	fputc('\n', to);
}

/* The counter without its unit, which stands behind the value or behind a
 * rate. */
static void print_counter(FILE *to, const struct reader *r, uint32_t i)
{
	fprintf(to, "  %-4s ", mark(r->desc[i].kind));
	escape_text(to, r->desc[i].name, 14);
	fprintf(to, " %16" PRIu64 " ", r->value[i]);
}

void print_text(FILE *to, const struct reader *r)
{
	print_head(to, r, NULL, 0);
	print_hot(to, r, UINT32_MAX);
	print_phases(to, r);
	for (uint32_t i = 0; i < r->n; i++) {
		print_stage(to, r, i);
		print_counter(to, r, i);
		escape_text(to, r->desc[i].unit, 11);
		fputs("  ", to);
		escape_text(to, r->desc[i].doc, 0);
		fputc('\n', to);
	}
}

/* -- Rates ----------------------------------------------------------------- */

/*
 * The counter's value in the look before. Both looks are at one file, so it has
 * the same place in both, unless the file is hostile.
 */
static bool value_before(const struct reader *before, uint32_t i,
			 const struct cof_stats_file_desc *d, uint64_t *v)
{
	if (before == NULL || i >= before->n ||
	    strcmp(before->desc[i].name, d->name) != 0 ||
	    strcmp(before->desc[i].stage, d->stage) != 0)
		return false;
	*v = before->value[i];
	return true;
}

void print_text_rates(FILE *to, const struct reader *r,
		      const struct reader *before)
{
	double s = before && r->now_ns > before->now_ns ?
		   (double)(r->now_ns - before->now_ns) / 1e9 : 0;
	const char *stage = "";

	print_head(to, r, before, 0);
	print_hot(to, r, WATCHED_METHODS);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct cof_stats_file_desc *d = &r->desc[i];
		uint64_t was = 0;
		bool known = value_before(before, i, d, &was) && s > 0;

		if (r->value[i] == 0 && (!known || was == 0))
			continue;
		if (strcmp(stage, d->stage) != 0) {
			fputc('\n', to);
			escape_text(to, stage = d->stage, 0);
			fputc('\n', to);
		}
		print_counter(to, r, i);
		if (known)	/* signed: some counters shrink */
			fprintf(to, "%14.1f/s ",
				(double)(int64_t)(r->value[i] - was) / s);
		else
			fprintf(to, "%14s/s ", "-");
		escape_text(to, d->unit, 0);
		fputc('\n', to);
	}
}
