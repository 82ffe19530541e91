/*
 * trial_entries.c - see trial_entries.h
 */
#include "optimizer/trial/trial_entries.h"

#include "instance.h"
#include "optimizer/trial/trial.h"
#include "options/tuning.h"
#include "patcher/patcher.h"

/* -- Who calls whom -------------------------------------------------------- */

static bool calls(const struct cof_version *v, const struct cof_method *callee)
{
	for (uint32_t i = 0; i < v->links.n_sites; i++)
		if (v->links.sites[i].callee == callee)
			return true;
	for (uint32_t i = 0; i < v->links.n_inlined; i++)
		if (v->links.inlined[i] == callee)
			return true;
	return false;
}

static bool is_called_inside(const struct cof_trial *t,
			     const struct cof_method *callee)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (calls(t->member[i].a, callee) ||
		    calls(t->member[i].b, callee))
			return true;
	return false;
}

void cof_trial_entries_choose(struct cof_trial *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		t->member[i].thunked =
			is_called_inside(t, t->member[i].method) ?
			COF_THUNKED_SITES : COF_THUNKED_ALL;
}

/* -- Thunks ---------------------------------------------------------------- */

static bool is_counted(const struct cof_member *m)
{
	return m->thunked != COF_THUNKED_NO;
}

static void lead_past(struct cof_trial *t, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (is_counted(&t->member[i]))
			cof_patcher_thunk(t->member[i].method, COF_THUNKED_NO);
}

/* False: no memory for a thunk. */
static bool lead_by_thunks(struct cof_trial *t)
{
	uint32_t n = 0;

	while (n < t->n &&
	       (!is_counted(&t->member[n]) ||
		cof_patcher_thunk(t->member[n].method, t->member[n].thunked)))
		n++;
	if (n < t->n)
		lead_past(t, n);
	return n == t->n;
}

/*
 * Thunks are there only while they count. Beside the increment, a thunk costs
 * one more jump for each call. Without thunks a switch costs one store for each
 * call site.
 */
void cof_trial_entries_count(struct cof_trial *t, bool on)
{
	if (t->counting == on || (on && !lead_by_thunks(t)))
		return;
	for (uint32_t i = 0; i < t->n; i++)
		if (is_counted(&t->member[i]))
			cof_patcher_count(t->member[i].method, on);
	if (!on)
		lead_past(t, t->n);
	t->counting = on;
}

/* -- Counts ---------------------------------------------------------------- */

static uint64_t entries_of(const struct cof_member *m)
{
	return atomic_load_explicit(m->method->thunk.entries,
				    memory_order_relaxed);
}

void cof_trial_entries_begin(struct cof_trial *t)
{
	for (uint32_t i = 0; t->counting && i < t->n; i++)
		if (is_counted(&t->member[i]))
			t->member[i].entries_at = entries_of(&t->member[i]);
}

uint64_t cof_trial_entries_end(struct cof_trial *t, double affordable)
{
	uint64_t all = 0;

	if (!t->counting)
		return 0;
	for (uint32_t i = 0; i < t->n; i++) {
		struct cof_member *m = &t->member[i];
		uint64_t now = is_counted(m) ? entries_of(m) : 0;

		/* Threads count without a lock: one may store a former
		 * count. */
		if (now <= m->entries_at)
			continue;
		m->entered += now - m->entries_at;
		all += now - m->entries_at;
	}
	t->affordable += affordable;
	return all;
}

/* -- What it costs --------------------------------------------------------- */

static struct cof_member *most_entered(struct cof_trial *t)
{
	struct cof_member *most = &t->member[0];

	for (uint32_t i = 1; i < t->n; i++)
		if (t->member[i].entered > most->entered)
			most = &t->member[i];
	return most;
}

static void leave_out(struct cof_member *m)
{
	cof_patcher_count(m->method, false);
	cof_patcher_thunk(m->method, COF_THUNKED_NO);
	m->thunked = COF_THUNKED_NO;
	m->entered = 0;
}

/* What was counted with those that are left out is on another scale. */
static void forget(struct cof_trial *t)
{
	cof_evidence_forget_entries(&t->evidence);
	cof_evidence_forget_entries(&t->checkpoint.safe);
	cof_evidence_forget_entries(&t->checkpoint.young);
}

void cof_trial_entries_spare(struct cof_trial *t)
{
	uint64_t all = 0;
	bool spared = false;

	for (uint32_t i = 0; i < t->n; i++)
		all += t->member[i].entered;
	while (t->counting && (double)all > t->affordable) {
		struct cof_member *most = most_entered(t);

		if (all - most->entered < COF_TUNE(trial_count_least))
			break;
		all -= most->entered;
		leave_out(most);
		spared = true;
	}
	if (spared)
		forget(t);
	for (uint32_t i = 0; i < t->n; i++)
		t->member[i].entered = 0;
	t->affordable = 0;
}
