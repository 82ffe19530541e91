/*
 * why_json.c - what mode auto goes by, for programs
 */
#include "why_view.h"

#include <inttypes.h>

#include "escape.h"
#include "units.h"

static void number(FILE *to, const char *key, int64_t value)
{
	fprintf(to, ",\"%s\":%" PRId64, key, value);
}

static void text(FILE *to, const char *key, const char *value)
{
	fprintf(to, ",\"%s\":", key);
	escape_json(to, value);
}

static void json_evidence(FILE *to, const struct why_view *v)
{
	const struct cof_history_evidence *e = &v->evidence;

	fprintf(to, ",\"evidence\":{\"runs\":%" PRIu32, e->runs);
	number(to, "others", e->others);
	number(to, "loops", e->loops);
	number(to, "since_loop", e->since_loop);
	number(to, "typical_ns", e->typical_ns);
	number(to, "longest_ns", e->longest_ns);
	number(to, "repaid", e->repaid);
	number(to, "judged", e->judged);
	number(to, "measured_ns", e->measured_ns);
	number(to, "untried_ns", e->untried_ns);
	number(to, "truth_permille", e->truth_permille);
	number(to, "own_ns", e->own_ns);
	number(to, "build_ns", e->build_ns);
	number(to, "paid_ns", e->paid_ns);
	number(to, "once_ns", e->once_ns);
	number(to, "guest_ns", e->guest_ns);
	number(to, "best_permille", e->best_permille);
	number(to, "hot", e->hot);
	number(to, "hot_permille", e->hot_permille);
	number(to, "profiles", e->profiles);
	number(to, "unsure_permille", e->unsure_permille);
	number(to, "open_permille", e->open_permille);
	fprintf(to, "},\"rules\":{\"retry_runs\":%" PRIu32,
		v->rules.retry_runs);
	number(to, "short_ns", v->rules.short_ns);
	number(to, "gain_permille", v->rules.gain_permille);
	fputc('}', to);
}

static void json_runs(FILE *to, const struct why_view *v)
{
	fputs(",\"runs\":[", to);
	for (uint32_t i = 0; i < v->past.n_runs; i++) {
		const struct cof_history_run *r = &v->past.run[i];

		fprintf(to, "%s{\"began_ns\":%" PRId64, i ? "," : "",
			r->began_ns);
		text(to, "libcof", r->libcof);
		text(to, "cpu", r->cpu);
		text(to, "verdict", cof_history_verdict_name(r->verdict));
		number(to, "loop", r->loop);
		number(to, "ended", r->ended);
		number(to, "wall_ns", r->wall_ns);
		number(to, "cpu_ns", r->cpu_ns);
		number(to, "own_ns", r->own_ns);
		number(to, "build_ns", r->build_ns);
		number(to, "paid_ns", r->paid_ns);
		number(to, "once_ns", r->once_ns);
		number(to, "samples", r->samples);
		number(to, "counted", r->counted);
		number(to, "recompiled", r->recompiled);
		number(to, "builds", r->builds);
		number(to, "phases", r->phases);
		number(to, "promised_ns", r->promised_ns);
		number(to, "measured_ns", r->measured_ns);
		number(to, "untried_ns", r->untried_ns);
		number(to, "checked_ns", r->checked_ns);
		number(to, "open", r->open);
		number(to, "net_permille", cof_history_net_permille(
					r, v->evidence.truth_permille));
		fputc('}', to);
	}
	fputc(']', to);
}

static void json_hot(FILE *to, const struct why_view *v)
{
	char plan[UNITS_TEXT];

	fprintf(to, ",\"samples\":%" PRId64 ",\"methods\":[", v->past.samples);
	for (uint32_t i = 0; i < v->past.n_methods; i++) {
		const struct cof_history_method *m = &v->past.method[i];

		fprintf(to, "%s{\"samples\":%" PRId64, i ? "," : "",
			m->samples);
		text(to, "name", m->name);
		text(to, "plan", units_plan(m->plan, plan));
		text(to, "audit", why_audit_name(m->audit));
		number(to, "promised_permille", m->promised_permille);
		number(to, "measured_permille", m->measured_permille);
		number(to, "profile_bytes", (int64_t)m->profile_bytes);
		fputc('}', to);
	}
	fputc(']', to);
}

void why_print_json(FILE *to, const struct why_view *v)
{
	fputs("{\"program\":", to);
	escape_json(to, v->past.name);
	text(to, "host", v->past.host);
	text(to, "history", v->path);
	text(to, "verdict", cof_history_verdict_name(v->verdict));
	text(to, "sentence", v->sentence);
	number(to, "by_name", v->by_name);
	json_evidence(to, v);
	json_runs(to, v);
	json_hot(to, v);
	fputs("}\n", to);
}
