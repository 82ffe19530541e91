/*
 * known_hot.c - the hot set of earlier runs, and its methods in this one
 */
#include "history/known_hot.h"

#include "history/history.h"
#include "process/forked.h"
#include "process/process.h"

/* NULL: there is no hot set, so far. */
static struct cof_history *with_hot_set(const struct cof *cof)
{
	struct cof_history *h = cof->history;

	return h && cof_history_is_decided(h) && h->hot.n > 0 ? h : NULL;
}

void cof_history_arrived(struct cof *cof, struct cof_method *method)
{
	/* In a fork's child nothing is built, and a thread that is not there
	 * may hold the lock for ever. Once the loop has begun anew there, the
	 * history is another one. */
	struct cof_history *h = cof_forked_is_child(cof) ? NULL :
							   with_hot_set(cof);
	const struct cof_history_method *known;
	uint64_t shape;

	known = h ? cof_history_hotset_find(&h->hot, method->name) : NULL;
	if (!known)
		return;
	shape = cof->host.shape ?
		cof->host.shape(cof->host.ctx, method->data) : 0;
	if (shape && known->shape && shape != known->shape)
		return;
	cof_history_arrivals_add(&h->arrivals, method, known);
	if (cof_has_begun(cof))
		cof_stage_wake(cof->wake.optimizer);
}

bool cof_history_was_hot(const struct cof *cof, const char *name)
{
	struct cof_history *h = with_hot_set(cof);

	return h && cof_history_hotset_find(&h->hot, name);
}

/* Of a host that adds a method only when it is seen. */
static void have_added(struct cof *cof)
{
	if (cof->host.add_hot && with_hot_set(cof))
		cof->host.add_hot(cof->host.ctx);
}

void cof_history_known_late(struct cof *cof)
{
	for (struct cof_method *m = cof_methods(cof); m; m = m->code.next)
		if (atomic_load_explicit(&m->current, memory_order_acquire))
			cof_history_arrived(cof, m);
	have_added(cof);
	cof_history_arrivals_ready(&cof->history->arrivals);
}

bool cof_history_next(struct cof *cof, struct cof_history_known *out)
{
	struct cof_history *h = with_hot_set(cof);
	const struct cof_history_method *m;
	struct cof_history_arrival a;
	uint32_t speed;

	if (!h || !cof_has_begun(cof))
		return false;
	if (!cof_history_arrivals_take(&h->arrivals, !cof->host.cached_version,
				       &a) &&
	    !cof_history_arrivals_take_again(&h->arrivals,
					     cof_generation_now(cof), &a))
		return false;
	m = a.known;
	speed = m->measured_permille ? m->measured_permille :
				       m->promised_permille;
	*out = (struct cof_history_known){
		.method = a.method, .again = a.times,
		.plan = (enum cof_plan)m->plan,
		.speedup = speed > 1000 ? speed / 1000.0 : 1.01,
		.proven_permille = m->measured_permille > 1000 &&
				   !cof->host.cached_version ?
				   m->measured_permille : 0,
		.measured_permille = m->measured_permille,
		.share = h->past.samples > 0 ? (double)m->samples /
					       (double)h->past.samples : 0,
		.runs = h->evidence.runs,
		.past = {
			.typical_ns = (double)h->evidence.typical_ns,
			.used_ns = (double)h->evidence.used_ns,
			.built_ns = (double)h->evidence.built_ns,
			.gained = cof_history_runs_gained(&h->evidence),
		},
		.profile = m->profile, .profile_bytes = m->profile_bytes,
	};
	out->expected_ns = (uint64_t)(out->share *
				      (double)h->evidence.typical_ns);
	return true;
}

void cof_history_later(struct cof *cof, const struct cof_history_known *k)
{
	const struct cof_history_arrival a = {
		k->method, cof_history_hotset_find(&cof->history->hot,
						   k->method->name),
		k->again + 1 };

	cof_history_arrivals_again(&cof->history->arrivals,
				   cof_generation_now(cof), &a);
}

bool cof_history_has_later(const struct cof *cof)
{
	return cof->history && cof->history->arrivals.n_later > 0;
}

void cof_history_settled(struct cof *cof)
{
	if (cof->history)
		cof_history_arrivals_settled(&cof->history->arrivals);
}

void cof_history_ready(struct cof *cof)
{
	struct cof_history *h = with_hot_set(cof);

	if (!h || cof_forked_is_child(cof))
		return;
	have_added(cof);
	cof_history_arrivals_ready(&h->arrivals);
	if (!cof->host.cached_version || !cof_has_begun(cof))
		return;
	cof_stage_wake(cof->wake.optimizer);
	cof_history_arrivals_wait(&h->arrivals, cof_history_wait_ns(cof));
}
