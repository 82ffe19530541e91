/*
 * phase.c - find the phase of a window; see phase.h
 */
#include "predictor/phase.h"

#include <math.h>
#include <stddef.h>

#include "options/tuning.h"
#include "predictor/signature_similarity.h"

/* The window's similarity with `there`. */
static double like(const struct cof_phase_table *p,
		   const struct cof_phase_signature *there)
{
	return cof_signature_similarity(&p->inlined, &p->window, there, 1);
}

/* The known phase other than `but` that `signature` is most like, by at least
 * `bound`. NULL: there is none. */
static struct cof_phase *recognize(struct cof_phase_table *p,
				   const struct cof_phase_signature *signature,
				   const struct cof_phase *but, double bound)
{
	struct cof_phase *best = NULL;

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++) {
		struct cof_phase *k = &p->known[i];
		double a = k->id && k != but ?
			   cof_signature_similarity(
				   &p->inlined, signature, &k->learned,
				   COF_TUNE(phase_unknown_alike)) : 0;

		if (a >= bound && a > 0) {
			bound = a;
			best = k;
		}
	}
	return best;
}

static struct cof_phase *new_phase(struct cof_phase_table *p)
{
	struct cof_phase *at = &p->known[0];

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++) {
		if (p->known[i].id == 0) {
			at = &p->known[i];
			break;
		}
		if (p->known[i].used < at->used)
			at = &p->known[i];
	}
	p->forgot = at->id != 0;
	at->id = ++p->ids;
	at->windows = COF_TUNE(phase_new);
	at->learned = p->between;
	return at;
}

static void begin(struct cof_phase_table *p, struct cof_phase *phase, bool back)
{
	p->now = phase;
	p->began = true;
	p->back = back;
	p->unlike = false;
	p->run = p->between;
	p->n_run = p->n_between;
	p->n_other = 0;
	phase->used = ++p->begun;
}

static void learn(struct cof_phase_table *p)
{
	cof_phase_signature_add(&p->now->learned, &p->window,
				COF_TUNE(phase_keep));
	if (p->now->windows < COF_TUNE(phase_lasting))
		p->now->windows++;
}

/* A phase that did not last is forgotten: other windows would be taken for
 * it. */
static void end(struct cof_phase_table *p)
{
	if (p->now->windows < COF_TUNE(phase_lasting))
		p->now->id = 0;
	p->previous = p->now;
	p->now = p->candidate = NULL;
	p->ended = true;
	p->wanders = false;
}

/* A window between two phases. */
static void step_between(struct cof_phase_table *p, double bound)
{
	struct cof_phase *known = recognize(p, &p->window, NULL, bound);
	bool alone = !p->wanders && known != p->previous;

	if (known && (alone || known == p->candidate)) {
		p->between = p->window;
		p->n_between = 1;
		begin(p, known, true);
		learn(p);
		return;
	}
	p->candidate = known;
	if (like(p, &p->between) < bound) {
		p->between = p->window;
		p->n_between = 1;
		p->wanders = true;
	} else {
		cof_phase_signature_add(&p->between, &p->window, 1);
		if (++p->n_between >= COF_TUNE(phase_new))
			begin(p, new_phase(p), false);
	}
}

/* -- Two phases that were taken for one ------------------------------------ */

static void run_is_other(struct cof_phase_table *p)
{
	p->run = p->other;
	p->n_run = p->n_other;
	p->n_other = 0;
}

/*
 * Add the window to `run`, or to `other`, which may follow it. True: both have
 * lasted, so they are two phases.
 */
static bool extend_run(struct cof_phase_table *p, double bound)
{
	if (p->n_run == 0 || like(p, &p->run) >= bound) {
		cof_phase_signature_add(&p->run, &p->window, p->n_run ?
					COF_TUNE(phase_run_keep) : 0);
		p->n_run++;
		p->n_other = 0;
	} else if (p->n_other > 0 && like(p, &p->other) >= bound) {
		cof_phase_signature_add(&p->other, &p->window, 1);
		p->n_other++;
	} else {
		p->other = p->window;
		p->n_other = 1;
	}
	if (p->n_other < COF_TUNE(phase_new))
		return false;
	if (p->n_run >= COF_TUNE(phase_new))
		return true;
	run_is_other(p);
	return false;
}

/*
 * Both runs are like the signature, but not like each other. The signature is
 * learned anew from the former run, and the latter is another phase. If the
 * former is like a known phase, the signature is learned from the latter.
 */
static void split(struct cof_phase_table *p, double bound)
{
	struct cof_phase *known = recognize(p, &p->run, p->now, bound);

	if (known) {
		cof_phase_signature_add(&known->learned, &p->run,
					COF_TUNE(phase_keep));
		cof_phase_signature_add(&p->now->learned, &p->other, 0);
		run_is_other(p);
		return;
	}
	cof_phase_signature_add(&p->now->learned, &p->run, 0);
	p->between = p->other;
	p->n_between = p->n_other;
	known = recognize(p, &p->other, p->now, bound);
	end(p);
	if (known)
		begin(p, known, true);
	else
		begin(p, new_phase(p), false);
}

/*
 * A window in a phase. If it is plainly of another, it is not noise. It may be
 * like this phase too, if that was learned from both.
 */
static void step_in_phase(struct cof_phase_table *p, double bound)
{
	double a = like(p, &p->now->learned);
	double plain = fmax(a + COF_TUNE(phase_plain), (1 + bound) / 2);
	bool other = recognize(p, &p->window, p->now, plain);

	p->similarity = (uint32_t)(a * 1000 + 0.5);
	if (!other && a >= bound) {
		p->noise = p->unlike;
		p->unlike = false;
		learn(p);
		if (extend_run(p, bound))
			split(p, bound);
	} else if (!other && !p->unlike) {
		p->unlike = true;
		p->between = p->window;
		p->n_between = 1;
	} else {
		end(p);
		step_between(p, bound);
	}
}

void cof_phase_step(struct cof_phase_table *p,
		    const struct cof_phase_signature_sample *s,
		    uint32_t n, uint32_t all, uint32_t same)
{
	p->ended = p->began = p->back = p->noise = p->forgot = false;
	p->window_ended = false;
	p->similarity = 0;
	for (uint32_t i = 0; i < n; i++)
		if (s[i].n_inlined > 0 && s[i].calls > 0)
			cof_inlined_note(&p->inlined, &s[i]);
	cof_phase_signature_count(&p->window, s, n, all);
	if (p->window.samples < COF_TUNE(phase_window_samples))
		return;
	p->window_ended = true;
	if (p->now)
		step_in_phase(p, same / 1000.0);
	else
		step_between(p, same / 1000.0);
	p->window = (struct cof_phase_signature){ .n = 0 };
}

uint32_t cof_phase_known(const struct cof_phase_table *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < COF_PHASE_KNOWN; i++)
		n += p->known[i].id != 0;
	return n;
}
