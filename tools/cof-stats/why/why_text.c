/*
 * why_text.c - the evidence that mode auto decides by, for people
 */
#include "why_view.h"

#include <inttypes.h>
#include <time.h>

#include "../escape.h"
#include "../units.h"

#define RUNS_SHOWN  12u
#define HOT_SHOWN   20u

const char *why_text_audit_name(enum cof_history_audit audit)
{
	static const char *const name[COF_HISTORY_AUDITS] = {
		[COF_HISTORY_UNTRIED] = "untried",
		[COF_HISTORY_KEPT] = "kept",
		[COF_HISTORY_TAKEN_BACK] = "taken back",
		[COF_HISTORY_UNCLEAR] = "unclear",
	};

	return (unsigned)audit < COF_HISTORY_AUDITS ? name[audit] : "?";
}

static const char *span(int64_t ns, char buf[UNITS_TEXT])
{
	if (ns >= 1000000000)
		return units_time((uint64_t)ns, buf);
	snprintf(buf, UNITS_TEXT, "%" PRId64 " ms", ns / 1000000);
	return buf;
}

/* A time saved; a negative one was lost. */
static void print_gain(FILE *to, int64_t ns)
{
	char buf[UNITS_TEXT];

	fprintf(to, "%s%s", ns < 0 ? "-" : "", span(ns < 0 ? -ns : ns, buf));
}

static void print_head(FILE *to, const struct why_view *v)
{
	fputs("program  ", to);
	escape_text(to, v->past.name[0] ? v->past.name : "(no name)", 0);
	fputs(" (", to);
	escape_text(to, v->past.host, 0);
	fputs(")\nidentity ", to);
	for (uint32_t i = 0; i < v->past.id.bytes; i++)
		fprintf(to, "%02x", v->past.id.byte[i]);
	fprintf(to, "\nhistory  %s\n", v->path);
	if (v->by_name)
		fputs("note     found by its name: no run of a file with this "
		      "content is known\n", to);
	if (v->others > 0)
		fprintf(to, "note     %" PRIu32 " others of this name; a path "
			"tells them apart\n", v->others);
	fprintf(to, "\nIn mode auto it %s.\n", v->sentence);
}

static void print_evidence(FILE *to, const struct why_view *v)
{
	const struct cof_run_evidence *e = &v->evidence;
	char a[UNITS_TEXT], b[UNITS_TEXT];

	fprintf(to, "\nevidence, of runs on this CPU with libcof %s\n",
		v->libcof);
	fprintf(to, "  runs        %" PRIu32, e->runs);
	if (e->others > 0)
		fprintf(to, ", besides %" PRIu32 " with another CPU or libcof",
			e->others);
	fprintf(to, "\n  turned on   %" PRIu32, e->loops);
	if (e->since_loop > 0)
		fprintf(to, ", and not in the latest %" PRIu32 "; tried again "
			"after %" PRIu32, e->since_loop, v->rules.retry_runs);
	fprintf(to, "\n  CPU time    %s as a rule, %s at most in the latest %"
		PRIu32 "; short is below ", span(e->typical_ns, a),
		span(e->longest_ns, b), e->recent);
	fprintf(to, "%s\n", span(v->rules.short_ns, a));
	if (e->judged > 0) {
		fputs("  saved       ", to);
		print_gain(to, e->measured_ns);
		fprintf(to, " of %s, as measured in the latest %" PRIu32
			" that were on and not short\n", span(e->guest_ns, a),
			e->judged);
		fprintf(to, "  believed    %s more, not measured; it counts by "
			"%.1f %%, as what was measured came true\n",
			span(e->untried_ns, a), e->truth_permille / 10.0);
		fprintf(to, "  spent       %s by libcof and %s on builds; ",
			span(e->own_ns, a), span(e->build_ns, b));
		fprintf(to, "the program waited for %s of it,\n"
			"              ", span(e->paid_ns, a));
		fprintf(to, "%s for what is kept for later runs, which counts "
			"by an eighth\n", span(e->once_ns, a));
		fprintf(to, "  net gain    %+.1f %% in the best of them; at "
			"least %.1f %% is wanted\n",
			(double)e->best_permille / 10,
			(double)v->rules.gain_permille / 10);
	}
	fprintf(to, "  hot set     %" PRIu32 " methods with %.1f %% of the "
		"samples; %" PRIu32 " with a profile\n", e->hot,
		e->hot_permille / 10.0, e->profiles);
	if (e->open_permille > 0)
		fprintf(to, "              nothing was built for hot methods "
			"with %.1f %% of them, nor refused\n",
			e->open_permille / 10.0);
}

static void print_began(FILE *to, int64_t ns)
{
	time_t t = (time_t)(ns / 1000000000);
	char text[32] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(to, "  %-19s", text);
}

static void print_runs(FILE *to, const struct why_view *v)
{
	char cpu[UNITS_TEXT], wall[UNITS_TEXT], own[UNITS_TEXT];

	fputs("\nlatest runs\n"
	      "  began                verdict          CPU time    "
	      "wall time   paid        builds  phases    net\n", to);
	for (uint32_t i = 0; i < v->past.n_runs && i < RUNS_SHOWN; i++) {
		const struct cof_history_run *r = &v->past.run[i];

		print_began(to, r->began_ns);
		fprintf(to, "  %-15s  %-10s  %-10s  %-10s  %6" PRId64 "  %6"
			PRId64, cof_history_verdict_name(r->verdict),
			span(r->cpu_ns, cpu), span(r->wall_ns, wall),
			span(r->paid_ns, own), r->builds,
			r->phases);
		if (r->loop)
			fprintf(to, "  %+5.1f %%",
				(double)cof_history_net_permille(
					r, v->evidence.truth_permille) / 10);
		fprintf(to, "%s%s\n", r->loop ? "" : "      -",
			r->ended ? "" : "  (its end is not known)");
	}
}

static void print_speed(FILE *to, uint32_t permille)
{
	if (permille)
		fprintf(to, "  %7.2fx", permille / 1000.0);
	else
		fputs("         -", to);
}

static void print_hot(FILE *to, const struct why_view *v)
{
	char plan[UNITS_TEXT];

	if (v->past.n_methods == 0)
		return;
	fputs("\nhot methods, of the latest runs that saw enough\n"
	      "   share  plan     promised  measured  audit       profile   "
	      "method\n", to);
	for (uint32_t i = 0; i < v->past.n_methods && i < HOT_SHOWN; i++) {
		const struct cof_history_method *m = &v->past.method[i];
		double all = (double)v->past.samples;
		double share = all > 0 ? 100.0 * (double)m->samples / all : 0;

		fprintf(to, "  %5.1f %%  %-7s", share,
			units_plan(m->plan, plan));
		print_speed(to, m->promised_permille);
		print_speed(to, m->measured_permille);
		fprintf(to, "  %-10s  %7zu   ", why_text_audit_name(m->audit),
			m->profile_bytes);
		escape_text(to, m->name, 0);
		fputc('\n', to);
	}
}

void why_text_print(FILE *to, const struct why_view *v)
{
	print_head(to, v);
	print_evidence(to, v);
	print_runs(to, v);
	print_hot(to, v);
}
