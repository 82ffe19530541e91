/*
 * print_head.c - the lines about the whole process, for people
 */
#include "print_head.h"

#include <inttypes.h>

#include "derived.h"
#include "escape.h"
#include "units.h"

#define LABEL 10u	/* columns */

static void label(FILE *to, const char *what)
{
	fprintf(to, "%-*s ", (int)LABEL - 1, what);
}

static void line(FILE *to, const char *what, const char *value,
		 unsigned columns)
{
	if (value[0] == '\0')
		return;
	label(to, what);
	escape_cut(to, value, columns ? columns - LABEL : 0);
	fputc('\n', to);
}

static void process(FILE *to, const struct reader *r)
{
	const struct cof_stats_file_header *h = &r->head;
	char up[UNITS_TEXT], age[UNITS_TEXT];

	fprintf(to, "pid %" PRIu32 "  %s", h->pid, reader_state(r));
	if (h->stopped)
		fprintf(to, ", libcof stopped");
	if (r->life == COF_LIFE_DEAD)
		fprintf(to, ", last update %s ago",
			units_time(reader_age_ns(r), age));
	fprintf(to, "  up %s  host ", units_time(reader_uptime_ns(r), up));
	escape_text(to, h->host, 0);
	fprintf(to, "  mode ");
	escape_text(to, h->mode, 0);
	fprintf(to, "  libcof ");
	escape_text(to, h->version, 0);
	fputc('\n', to);
}

/* Nothing for a process that was started as a program. */
static void service(FILE *to, const struct cof_stats_file_header *h)
{
	if (h->pid == h->service_pid)
		return;
	label(to, "service");
	fprintf(to, "forked from %" PRIu32 ", or from a child of it\n",
		h->service_pid);
}

static void source(FILE *to, const struct cof_stats_file_header *h,
		   unsigned columns)
{
	char both[sizeof(h->source) + sizeof(h->source_why) + 2];

	snprintf(both, sizeof(both), "%s%s%s", h->source,
		 h->source[0] && h->source_why[0] ? ": " : "",
		 h->source[0] ? h->source_why : "");
	line(to, "source", both, columns);
}

/* A list on one line: a label before the first element, commas between. */
struct list {
	FILE       *to;
	const char *what;
	unsigned    n;
};

static void next(struct list *l)
{
	if (l->n++ == 0)
		label(l->to, l->what);
	else
		fputs(", ", l->to);
}

static void end(const struct list *l)
{
	if (l->n != 0)
		fputc('\n', l->to);
}

static void count(struct list *l, struct derived_part part, const char *what)
{
	if (!part.known || part.value == 0)
		return;
	next(l);
	fprintf(l->to, "%" PRIu64 " %s", part.value, what);
}

static void loop(FILE *to, const struct derived *d)
{
	static const char *const state[DERIVED_LOOP_COUNT] = {
		[DERIVED_LOOP_ON] = "on",
		[DERIVED_LOOP_PGO] = "on; nothing is sampled in mode pgo",
		[DERIVED_LOOP_WAITS] = "not yet on; the program has to run "
			"for a while first",
		[DERIVED_LOOP_NO_GAIN] = "off; no gain is expected, cof-stats "
			"--why=PROGRAM says why",
		[DERIVED_LOOP_OFF] = "off",
		[DERIVED_LOOP_STOPPED] = "off; the host stopped libcof",
	};
	struct list l = { to, "loop", 0 };

	next(&l);
	fputs(state[d->loop], to);
	if (d->loop == DERIVED_LOOP_ON || d->loop == DERIVED_LOOP_PGO) {
		if (d->phase.known && d->phase.value != 0) {
			next(&l);
			fprintf(to, "in phase %" PRIu64, d->phase.value);
		}
		count(&l, d->counting, "methods count");
		count(&l, d->queued, "builds wait");
		count(&l, d->on_trial, "versions on trial");
	}
	end(&l);
}

static void gain(FILE *to, const struct derived *d)
{
	struct list l = { to, "gain", 0 };

	if (d->saved.known) {
		next(&l);
		fprintf(to, "%.1f %% of the CPU time saved, as measured",
			d->saved.value);
	}
	if (d->recompiled.known) {
		next(&l);
		fprintf(to, "%.1f %% %s", d->recompiled.value,
			l.n > 1 ? "in new versions"
				: "of the samples in new versions");
	}
	end(&l);
}

static void work(FILE *to, const struct derived *d)
{
	struct list l = { to, "built", 0 };
	char buf[UNITS_TEXT];

	count(&l, d->built, "versions");
	count(&l, d->profiled, "with a profile");
	if (l.n != 0 && d->first_patch_ns.known && d->first_patch_ns.value) {
		next(&l);
		fprintf(to, "the first %s after the first sample",
			units_time(d->first_patch_ns.value, buf));
	}
	end(&l);
	l = (struct list){ to, "trials", 0 };
	count(&l, d->faster, "faster");
	count(&l, d->slower, "slower and taken back");
	count(&l, d->unclear, "unclear");
	end(&l);
}

static void cost(FILE *to, const struct derived *d)
{
	struct list l = { to, "overhead", 0 };

	if (d->overhead.known) {
		next(&l);
		fprintf(to, "%.2f %% of the program's CPU time",
			d->overhead.value);
	}
	if (d->overhead.known && d->builds.known) {
		next(&l);
		fprintf(to, "builds %.2f %%", d->builds.value);
	}
	end(&l);
}

static void code(FILE *to, const struct derived *d, unsigned columns)
{
	const struct {
		const char         *what;
		struct derived_part part;
	} parts[] = {
		{ "first", d->first }, { "hot", d->hot },
		{ "replaced", d->retired }, { "data", d->data },
		{ "reserved", d->reserved },
	};
	struct list l = { to, "code", 0 };
	char buf[UNITS_TEXT];

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].part.known || (columns != 0 && i == 4))
			continue;	/* the line has room for four */
		next(&l);
		fprintf(to, "%s %s", parts[i].what,
			units_bytes(parts[i].part.value, buf));
	}
	end(&l);
}

void print_head(FILE *to, const struct reader *r, const struct reader *before,
		unsigned columns)
{
	struct derived d = derived_of(r, before);

	process(to, r);
	service(to, &r->head);
	line(to, "program", r->head.program, columns);
	line(to, "options", r->head.options, columns);
	loop(to, &d);
	source(to, &r->head, columns);
	gain(to, &d);
	work(to, &d);
	cost(to, &d);
	code(to, &d, columns);
	line(to, "no reclaim", r->head.reclaim_off, columns);
	if (r->torn != 0)
		fprintf(to, "%-9s %" PRIu32 " were being written and are not "
			"shown\n", "rows", r->torn);
}
