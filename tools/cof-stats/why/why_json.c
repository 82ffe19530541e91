/*
 * why_json.c - the evidence that mode auto decides by, for programs
 */
#include "why_view.h"

#include "../json_writer.h"
#include "../units.h"

static void json_evidence(struct json_writer *w, const struct why_view *v)
{
	const struct cof_run_evidence *e = &v->evidence;

	json_writer_object(w, "evidence");
	json_writer_int(w, "runs", e->runs);
	json_writer_int(w, "others", e->others);
	json_writer_int(w, "loops", e->loops);
	json_writer_int(w, "since_loop", e->since_loop);
	json_writer_int(w, "typical_ns", e->typical_ns);
	json_writer_int(w, "longest_ns", e->longest_ns);
	json_writer_int(w, "repaid", e->repaid);
	json_writer_int(w, "judged", e->judged);
	json_writer_int(w, "measured_ns", e->measured_ns);
	json_writer_int(w, "untried_ns", e->untried_ns);
	json_writer_int(w, "truth_permille", e->truth_permille);
	json_writer_int(w, "own_ns", e->own_ns);
	json_writer_int(w, "build_ns", e->build_ns);
	json_writer_int(w, "paid_ns", e->paid_ns);
	json_writer_int(w, "once_ns", e->once_ns);
	json_writer_int(w, "guest_ns", e->guest_ns);
	json_writer_int(w, "best_permille", e->best_permille);
	json_writer_int(w, "hot", e->hot);
	json_writer_int(w, "hot_permille", e->hot_permille);
	json_writer_int(w, "profiles", e->profiles);
	json_writer_int(w, "unsure_permille", e->unsure_permille);
	json_writer_int(w, "open_permille", e->open_permille);
	json_writer_end(w);
	json_writer_object(w, "rules");
	json_writer_int(w, "retry_runs", v->rules.retry_runs);
	json_writer_int(w, "short_ns", v->rules.short_ns);
	json_writer_int(w, "gain_permille", v->rules.gain_permille);
	json_writer_end(w);
}

static void json_runs(struct json_writer *w, const struct why_view *v)
{
	json_writer_array(w, "runs");
	for (uint32_t i = 0; i < v->past.n_runs; i++) {
		const struct cof_history_run *r = &v->past.run[i];

		json_writer_object(w, NULL);
		json_writer_int(w, "began_ns", r->began_ns);
		json_writer_text(w, "libcof", r->libcof);
		json_writer_text(w, "cpu", r->cpu);
		json_writer_text(w, "verdict",
				 cof_history_verdict_name(r->verdict));
		json_writer_int(w, "loop", r->loop);
		json_writer_int(w, "ended", r->ended);
		json_writer_int(w, "wall_ns", r->wall_ns);
		json_writer_int(w, "cpu_ns", r->cpu_ns);
		json_writer_int(w, "own_ns", r->own_ns);
		json_writer_int(w, "build_ns", r->build_ns);
		json_writer_int(w, "paid_ns", r->paid_ns);
		json_writer_int(w, "once_ns", r->once_ns);
		json_writer_int(w, "samples", r->samples);
		json_writer_int(w, "counted", r->counted);
		json_writer_int(w, "recompiled", r->recompiled);
		json_writer_int(w, "builds", r->builds);
		json_writer_int(w, "phases", r->phases);
		json_writer_int(w, "promised_ns", r->promised_ns);
		json_writer_int(w, "measured_ns", r->measured_ns);
		json_writer_int(w, "untried_ns", r->untried_ns);
		json_writer_int(w, "checked_ns", r->checked_ns);
		json_writer_int(w, "open", r->open);
		json_writer_int(w, "net_permille",
				cof_history_net_permille(
					r, v->evidence.truth_permille));
		json_writer_end(w);
	}
	json_writer_end(w);
}

static void json_hot(struct json_writer *w, const struct why_view *v)
{
	char plan[UNITS_TEXT];

	json_writer_int(w, "samples", v->past.samples);
	json_writer_array(w, "methods");
	for (uint32_t i = 0; i < v->past.n_methods; i++) {
		const struct cof_history_method *m = &v->past.method[i];

		json_writer_object(w, NULL);
		json_writer_int(w, "samples", m->samples);
		json_writer_text(w, "name", m->name);
		json_writer_text(w, "plan", units_plan(m->plan, plan));
		json_writer_text(w, "audit", why_text_audit_name(m->audit));
		json_writer_int(w, "promised_permille", m->promised_permille);
		json_writer_int(w, "measured_permille", m->measured_permille);
		json_writer_int(w, "profile_bytes", (int64_t)m->profile_bytes);
		json_writer_end(w);
	}
	json_writer_end(w);
}

void why_json_print(FILE *to, const struct why_view *v)
{
	struct json_writer w = { .to = to };

	json_writer_object(&w, NULL);
	json_writer_text(&w, "program", v->past.name);
	json_writer_text(&w, "host", v->past.host);
	json_writer_text(&w, "history", v->path);
	json_writer_text(&w, "verdict", cof_history_verdict_name(v->verdict));
	json_writer_text(&w, "sentence", v->sentence);
	json_writer_int(&w, "by_name", v->by_name);
	json_evidence(&w, v);
	json_runs(&w, v);
	json_hot(&w, v);
	json_writer_end(&w);
	fputc('\n', to);
}
