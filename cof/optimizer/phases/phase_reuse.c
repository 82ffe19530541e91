/*
 * phase_reuse.c - remember versions for phases, and switch back to them
 */
#include "optimizer/phases/phase_reuse.h"

#include <stddef.h>

#include "base/log.h"
#include "base/role.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/facts/sampled_time.h"
#include "optimizer/facts/top_plan.h"
#include "optimizer/instrumented/profile.h"
#include "optimizer/osr/osr.h"
#include "optimizer/phases/phase_versions.h"
#include "patcher/patcher.h"
#include "predictor/phase.h"

struct cof_phase_reuse {
	bool pending;	/* some methods are still to be switched */
	uint64_t unloads;	/* methods that were unloaded, as of its latest
				 * turn */
	struct cof_phase_versions *first;
};

static struct cof_flow_reuse *flow_of(struct cof *cof)
{
	return &cof->flow->reuse;
}

/* -- Remember -------------------------------------------------------------- */

static struct cof_phase_versions *phase_versions_of(struct cof *cof,
						    struct cof_method *method)
{
	struct cof_phase_versions *m = method->phase_versions;

	if (m)
		return m;
	m = cof_mem_alloc(sizeof(*m));
	if (!m)
		return NULL;
	m->method = method;
	m->next = cof->phase_reuse->first;
	cof->phase_reuse->first = m;
	method->phase_versions = m;
	return m;
}

/* This file owns the parked version from now on, or not any more. */
static void mark_parked(struct cof *cof, struct cof_version *v, bool parked)
{
	uint64_t sign = parked ? 1 : -(uint64_t)1;

	v->phase.parked = parked;
	cof_count_add(&flow_of(cof)->parked, sign);
	cof_count_add(&flow_of(cof)->parked_bytes,
		      sign * cof_phase_versions_size(v));
}

static void drop(struct cof *cof, struct cof_phase_versions *m,
		 struct cof_version *v)
{
	cof_phase_versions_forget(m, v);
	mark_parked(cof, v, false);
	cof_count_add(&flow_of(cof)->dropped, 1);
	cof_log(cof, "COF: P/O drops version %u of %s, parked for a phase",
		v->number, m->method->name);
	cof_patcher_retire(v);
}

/* Drop a parked version that no slot points to any more. */
static void drop_if_lost(struct cof *cof, struct cof_phase_versions *m,
			 struct cof_version *v)
{
	if (v && v->phase.parked && !cof_phase_versions_has(m, v))
		drop(cof, m, v);
}

static void retire_excess(struct cof *cof, struct cof_phase_versions *m)
{
	struct cof_version *oldest;
	uint64_t bytes;

	while (cof_phase_versions_parked(m, &bytes, &oldest) >
		       cof->opts.phase_versions ||
	       bytes > (uint64_t)cof->opts.phase_kb << 10)
		drop(cof, m, oldest);
}

void cof_phase_reuse_remember(struct cof *cof, struct cof_method *method,
			      uint32_t phase, struct cof_version *v)
{
	struct cof_version *former = NULL;
	struct cof_phase_versions *m;
	struct cof_phase_versions_slot *s;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof->phase_reuse)
		return;
	phase = phase ? phase : cof_program_phase_now(cof);
	if (phase == 0 || v->plan == COF_PLAN_NONE || v->code.counting)
		return;
	m = phase_versions_of(cof, method);
	if (!m)
		return;
	s = cof_phase_versions_slot(m, phase);
	if (s->version != v)
		former = s->version;
	*s = (struct cof_phase_versions_slot){
		v, phase, cof_phase_begun(cof->phase_taken),
	};
	/* Its profile is of the first phase in which it was current. */
	if (v->phase.id == 0)
		v->phase.id = phase;
	drop_if_lost(cof, m, former);
}

bool cof_phase_reuse_keep(struct cof *cof, struct cof_version *v)
{
	struct cof_phase_versions *m = v->method->phase_versions;

	cof_assert_role(COF_ROLE_PICKER);
	if (!cof->phase_reuse || !cof_phase_versions_has(m, v))
		return false;
	mark_parked(cof, v, true);
	retire_excess(cof, m);
	return true;
}

void cof_phase_reuse_forget(struct cof_version *v)
{
	cof_phase_versions_forget(v->method->phase_versions, v);
}

/* -- Switch back ----------------------------------------------------------- */

static bool is_busy(const struct cof_method *method,
		    const struct cof_version *now)
{
	return method->build.pending ||
	       cof_profile_is_pending(method->profile) ||
	       cof_method_on_trial(method) || now->code.counting;
}

/* Keep the method's past time the same across the switch. */
static void carry_past(struct cof *cof, const struct cof_version *to,
		       const struct cof_version *from)
{
	double past_ns = cof_sampled_time_past_ns(cof, from);

	to->method->build.past_ns = 0;
	past_ns -= cof_sampled_time_past_ns(cof, to);
	to->method->build.past_ns = past_ns > 0 ? past_ns : 0;
}

/* From before the host itself replaced the code? */
static bool is_outdated(struct cof *cof, const struct cof_version *v)
{
	bool outdated;

	pthread_mutex_lock(&cof->code_lock);
	outdated = v->number < v->method->code.host_number;
	pthread_mutex_unlock(&cof->code_lock);
	return outdated;
}

/* Drop the parked versions of methods that were unloaded. */
static void drop_unloaded(struct cof *cof, struct cof_phase_reuse *p)
{
	uint64_t unloads = atomic_load_explicit(&cof->unloads,
						memory_order_acquire);

	if (unloads == p->unloads)
		return;
	p->unloads = unloads;
	for (struct cof_phase_versions *m = p->first; m; m = m->next)
		for (uint32_t i = m->n; i-- > 0;) {
			struct cof_version *v = i < m->n ? m->slot[i].version :
							   NULL;

			if (v && v->phase.parked && is_outdated(cof, v))
				drop(cof, m, v);
		}
}

/* False: `to` did not become current. */
static bool switch_to(struct cof *cof, struct cof_phase_versions *m,
		      struct cof_version *to, struct cof_version *from)
{
	bool settled = to->plan >= cof_top_plan(cof) && !cof->opts.stress;

	if (is_outdated(cof, to)) {
		drop(cof, m, to);
		return false;
	}
	if (!cof_patcher_switch(to, from))
		return false;
	mark_parked(cof, to, false);
	carry_past(cof, to, from);
	cof_word_flags(&to->word, settled ? COF_WORD_SETTLED : 0,
		       settled ? 0 : COF_WORD_SETTLED);
	cof_count_add(&flow_of(cof)->reused, 1);
	cof_log(cof, "COF: P/O brings back version %u of %s in phase %u",
		to->number, m->method->name, cof_program_phase_now(cof));
	cof_log(cof, "COF: P/O patches %s from %p to %p", m->method->name,
		(void *)from->code.entry, (void *)to->code.entry);
	if (cof_phase_reuse_keep(cof, from))
		cof_osr_watch(cof, from);
	else
		cof_patcher_retire(from);
	return true;
}

static bool bring_back(struct cof *cof, uint32_t phase)
{
	struct cof_phase_reuse *p = cof->phase_reuse;
	bool patched = false;

	p->pending = false;
	for (struct cof_phase_versions *m = p->first; m; m = m->next) {
		struct cof_version *now = cof_method_current(m->method),
				   *to = NULL;

		for (uint32_t i = 0; i < m->n; i++) {
			if (m->slot[i].phase != phase)
				continue;
			to = m->slot[i].version;
			m->slot[i].used = cof_phase_begun(cof->phase_taken);
		}
		if (!to || !now || to == now)
			continue;
		if (is_busy(m->method, now))
			p->pending = true;
		else if (to->phase.parked)
			patched |= switch_to(cof, m, to, now);
	}
	return patched;
}

/* Built by libcof, not the host's own (tier 0 or image): the later is
 * better. */
static bool is_built_here(struct cof *cof, const struct cof_method *m,
		    const struct cof_version *v)
{
	bool built_here;

	pthread_mutex_lock(&cof->code_lock);
	built_here = v->number > m->code.host_number;
	pthread_mutex_unlock(&cof->code_lock);
	return built_here;
}

/* Remember all current versions that have passed their audit. */
static void remember_all(struct cof *cof, uint32_t phase)
{
	for (struct cof_method *m = cof_methods(cof); m; m = m->code.next) {
		struct cof_version *v = cof_method_current(m);

		if (v && v->plan != COF_PLAN_NONE && is_built_here(cof, m, v) &&
		    !is_busy(m, v))
			cof_phase_reuse_remember(cof, m, phase, v);
	}
}

bool cof_phase_reuse_turn(struct cof *cof)
{
	struct cof_phase_reuse *p = cof->phase_reuse;
	uint64_t word;
	uint32_t was, now;

	cof_assert_role(COF_ROLE_PICKER);
	if (!p)
		return false;
	drop_unloaded(cof, p);
	word = atomic_load_explicit(&cof->phase, memory_order_relaxed);
	was = cof_phase_id(cof->phase_taken);
	now = cof_phase_id(word);
	if (word == cof->phase_taken && !p->pending)
		return false;
	if (word != cof->phase_taken && was)
		remember_all(cof, was);
	cof->phase_taken = word;
	return now ? bring_back(cof, now) : false;
}

/* -- What P/O asks --------------------------------------------------------- */

bool cof_phase_reuse_changed(const struct cof *cof,
			     const struct cof_method *method)
{
	const struct cof_version *v = cof_method_current(method);
	uint32_t now = cof_program_phase_now(cof);

	if (!cof->phase_reuse || cof_phase_begun(cof->phase_taken) == 0)
		return true;
	if (!v || now == 0)
		return false;
	return v->plan != COF_PLAN_PROFILE ||
	       (v->phase.id != 0 && v->phase.id != now);
}

bool cof_phase_reuse_elsewhere(const struct cof *cof, uint32_t phase)
{
	return cof->phase_reuse && phase != 0 &&
	       cof_program_phase_now(cof) != phase;
}

/* -- Life ------------------------------------------------------------------ */

int cof_phase_reuse_start(struct cof *cof)
{
	if (!cof->audit || cof->opts.phase_versions == 0)
		return 0;
	cof->phase_reuse = cof_mem_alloc(sizeof(*cof->phase_reuse));
	return cof->phase_reuse ? 0 : -COF_E_NOMEM;
}

void cof_phase_reuse_stop(struct cof *cof)
{
	struct cof_version *v;
	uint64_t bytes;

	if (!cof->phase_reuse)
		return;
	for (struct cof_phase_versions *m = cof->phase_reuse->first; m;
	     m = m->next) {
		while (cof_phase_versions_parked(m, &bytes, &v) > 0) {
			cof_phase_versions_forget(m, v);
			mark_parked(cof, v, false);
			cof_patcher_retire(v);
		}
		m->n = 0;
	}
}

void cof_phase_reuse_free(struct cof *cof)
{
	struct cof_phase_versions *m, *next;

	if (!cof->phase_reuse)
		return;
	for (m = cof->phase_reuse->first; m; m = next) {
		next = m->next;
		m->method->phase_versions = NULL;
		cof_mem_free(m);
	}
	cof_mem_free(cof->phase_reuse);
	cof->phase_reuse = NULL;
	cof->phase_taken = 0;
}
