/*
 * again.c - the budget, and where samples fall
 */
#include "optimizer/again.h"

#include "instance.h"
#include "optimizer/ask.h"
#include "optimizer/phases.h"
#include "optimizer/picker.h"
#include "options/tuning.h"

bool cof_again_affords(const struct cof_again *again, double cost_ns,
		       double program_ns)
{
	return again->spent_ns + cost_ns <= COF_TUNE(reprofile_free_ms) * 1e6 +
	       program_ns * COF_TUNE(reprofile_part) + again->gained_ns;
}

void cof_again_spend(struct cof_again *again, double cost_ns)
{
	again->spent_ns += cost_ns;
}

void cof_again_learn(struct cof_again *again, double speedup, double ns)
{
	if (speedup > 1 && ns > 0)
		again->gained_ns += ns * (1 - 1 / speedup);
}

/* -- Where samples fall ----------------------------------------------------- */

static bool was_placed(const struct cof_version *v)
{
	bool any = false;

	for (uint32_t i = 0; i < COF_SPOTS; i++)
		any |= atomic_load_explicit(
			&((struct cof_version *)v)->spots.count[i],
			memory_order_relaxed) != 0;
	return any;
}

bool cof_again_moved(const struct cof_method *method)
{
	struct cof_version *v = cof_method_current(method);

	if (!v || !method->profile || !was_placed(v))
		return true;
	return method->profile->drift.version == v->number &&
	       cof_drift_moved(&method->profile->drift);
}

static void look(struct cof_drift *d, const struct cof_version *v)
{
	uint16_t count[COF_SPOTS];

	for (uint32_t i = 0; i < COF_SPOTS; i++)
		count[i] = atomic_load_explicit(
			&((struct cof_version *)v)->spots.count[i],
			memory_order_relaxed);
	if (d->version == v->number)
		cof_drift_look(d, count);
	else
		cof_drift_begin(d, v->number, count);
}

/* Phase `was` is over; 0: it was none, or is not known. */
static void leave(struct cof_drift *d, const struct cof_version *v,
		  uint32_t was, bool known)
{
	bool first = !cof_drift_settled(d);

	cof_drift_leave(d, cof_drift_stayed(d) ||
			   (was && v->phase ? v->phase == was :
					      first && (was || !known)));
}

static void look_at(struct cof *cof, struct cof_picker *picker,
		    struct cof_profile *p, uint32_t was, bool over)
{
	struct cof_version *v = cof_method_current(p->method);

	if (!v || v->plan != COF_PLAN_PROFILE)
		return;
	look(&p->drift, v);
	if (over)
		leave(&p->drift, v, was, cof->phases != NULL);
	if (!p->method->building && cof_ask_reopens(cof, p->method) &&
	    !cof_ignore_active(p->method, picker->generation))
		cof_word_flags(&v->word, 0, COF_WORD_SETTLED);
}

void cof_again_turn(struct cof *cof, struct cof_picker *picker)
{
	uint64_t generation = cof_generation_now(cof);
	uint64_t phase = cof_ask_phase(cof);
	uint32_t now = cof_phases_now(cof), was = picker->was_in;
	bool over = cof->phases ? now != was : phase != picker->phase;

	cof_assert_role(COF_ROLE_PICKER);
	if (!over && phase == picker->phase && generation == picker->generation)
		return;
	picker->phase = phase;
	picker->was_in = now;
	picker->generation = generation;
	for (struct cof_profile *p = picker->profiles.first; p; p = p->next)
		look_at(cof, picker, p, was, over);
}
