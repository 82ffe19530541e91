/*
 * print_summary.c - one look at a process on one screen, for people
 */
#include "print_summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print_head.h"
#include "derived.h"
#include "escape.h"
#include "units.h"

#define COLUMNS 80u
#define METHODS 5u	/* shown, heaviest first */
#define REASONS 4u	/* shown, by their samples */
#define DROPS   4u	/* shown, unusual ones first */

/* -- Methods --------------------------------------------------------------- */

static void share_of(uint64_t part, uint64_t all, char buf[UNITS_TEXT])
{
	if (all == 0 || part > all)
		snprintf(buf, UNITS_TEXT, "-");
	else
		snprintf(buf, UNITS_TEXT, "%.1f %%",
			 100.0 * (double)part / (double)all);
}

static void methods(FILE *to, const struct reader *r)
{
	char share[UNITS_TEXT], plan[UNITS_TEXT], state[UNITS_TEXT];
	char audit[UNITS_TEXT], gain[UNITS_TEXT];
	uint64_t all = 0;

	if (r->n_hot == 0)
		return;
	reader_find(r, "sampler", "counted", &all);
	fprintf(to, "\n%7s  %-8s %-8s %-7s %9s  %s\n", "samples", "plan",
		"state", "trial", "gain", "hot method");
	for (uint32_t i = 0; i < r->n_hot && i < METHODS; i++) {
		const struct cof_stats_file_hot *h = &r->hot[i];

		share_of(h->samples, all, share);
		fprintf(to, "%7s  %-8s %-8s %-7s %9s  ", share,
			units_plan(h->plan, plan), units_state(h, state),
			units_audit(h->audited, audit),
			units_gain(h->audited, h->gain_permille, gain));
		escape_cut(to, h->name, COLUMNS - 46);
		fputc('\n', to);
	}
}

/* -- What is not improved -------------------------------------------------- */

/* The next reason by its samples: fewer than `most`, or as many and later than
 * `last`. r->n: there is none. */
static uint32_t next_reason(const struct reader *r, uint64_t most,
			    uint32_t last)
{
	uint32_t best = r->n;

	for (uint32_t i = 0; i < r->n; i++) {
		const struct cof_stats_file_desc *d = &r->desc[i];
		uint64_t v = r->value[i];

		if (d->kind == COF_FLOW_DROP && derived_is_reason(d->stage) &&
		    v != 0 && (v < most || (v == most && i > last)) &&
		    (best == r->n || v > r->value[best]))
			best = i;
	}
	return best;
}

static void reasons(FILE *to, const struct reader *r)
{
	char share[UNITS_TEXT];
	uint64_t all = 0, most = UINT64_MAX;
	uint32_t at = 0;

	reader_find(r, "improved", "counted", &all);
	for (uint32_t n = 0; n < REASONS; n++) {
		at = next_reason(r, most, at);
		if (at == r->n)
			return;
		if (n == 0)
			fprintf(to, "\n%7s  %-11s  %s\n", "samples", "as",
				"not in code that libcof built, because");
		most = r->value[at];
		share_of(most, all, share);
		fprintf(to, "%7s  ", share);
		escape_text(to, r->desc[at].name, 11);
		fputs("  ", to);
		escape_cut(to, r->desc[at].doc, COLUMNS - 22);
		fputc('\n', to);
	}
}

/* -- Drops ----------------------------------------------------------------- */

#define UNKNOWN 2.0

struct drop {
	uint32_t counter;	/* in the reader's table */
	bool     usual;
	double   share;		/* of what the stage took in; UNKNOWN */
};

static double share_of_stage(const struct reader *r, uint32_t drop)
{
	uint64_t in = 0;

	for (uint32_t i = 0; i < r->n; i++)
		if (r->desc[i].kind == COF_FLOW_IN &&
		    strcmp(r->desc[i].stage, r->desc[drop].stage) == 0)
			in += r->value[i];
	return in >= r->value[drop] && in > 0 ?
	       (double)r->value[drop] / (double)in : UNKNOWN;
}

/* Unusual ones first, then by share; of equals, in the file's order. */
static int by_weight(const void *a, const void *b)
{
	const struct drop *p = a, *q = b;

	if (p->usual != q->usual)
		return p->usual ? 1 : -1;
	if (p->share != q->share)
		return p->share < q->share ? 1 : -1;
	return p->counter < q->counter ? -1 : 1;
}

static void one_drop(FILE *to, const struct reader *r, const struct drop *drop)
{
	const struct cof_stats_file_desc *d = &r->desc[drop->counter];
	char share[UNITS_TEXT] = "-";

	if (drop->share != UNKNOWN)
		snprintf(share, sizeof(share), "%.1f %%", 100 * drop->share);
	fprintf(to, "%9" PRIu64 " %7s  ", r->value[drop->counter], share);
	escape_text(to, d->stage, 9);
	fputc(' ', to);
	escape_text(to, d->name, 11);
	fputs("  ", to);
	escape_cut(to, d->doc, COLUMNS - 42);
	fputc('\n', to);
}

static void drops(FILE *to, const struct reader *r)
{
	struct drop *drop = calloc(r->n + 1u, sizeof(*drop));
	uint32_t n = 0;

	for (uint32_t i = 0; drop && i < r->n; i++) {
		const struct cof_stats_file_desc *d = &r->desc[i];

		if (d->kind == COF_FLOW_DROP && r->value[i] != 0 &&
		    !derived_is_reason(d->stage))
			drop[n++] = (struct drop){
				i, derived_is_usual(d->stage, d->name),
				share_of_stage(r, i) };
	}
	if (n != 0) {
		qsort(drop, n, sizeof(*drop), by_weight);
		fprintf(to, "\n%9s %7s  %-9s %-11s  why%s\n", "given up",
			"of all", "in stage", "as",
			n > DROPS ? "; --all shows the others" : "");
	}
	for (uint32_t i = 0; i < n && i < DROPS; i++)
		one_drop(to, r, &drop[i]);
	free(drop);
}

void print_summary(FILE *to, const struct reader *r,
		   const struct reader *before)
{
	print_head(to, r, before, COLUMNS);
	methods(to, r);
	reasons(to, r);
	drops(to, r);
}
