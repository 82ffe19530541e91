/*
 * unit_build.c - the candidates for a unit, its limits, and its builds
 */
#include "optimizer/policy/unit_build.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/unit_select.h"
#include "optimizer/build/unproven.h"
#include "optimizer/facts/program_phase.h"
#include "optimizer/instrumented/instrumented.h"
#include "optimizer/policy/picker.h"
#include "options/tuning.h"

/* The CPU time of the method's build alone. */
static uint64_t expected_ns(const struct cof_picker *picker,
			    const struct cof_profile *p)
{
	return (uint64_t)((double)p->estimated_ns *
			  cof_cost_model_rates_ratio(&picker->rates,
						     COF_PLAN_PROFILE));
}

/* Puts all methods that are FULL into `to`, and into *coming the number of
 * those that may still join a unit with them. Returns how many are FULL. */
static uint32_t candidates(struct cof *cof, struct cof_picker *picker,
			   const struct cof_unit_limits *limits,
			   struct cof_candidate *to, uint32_t *coming)
{
	uint64_t phase = cof_program_phase_begun(cof);
	double left_ns = cof_unproven_left_ns(cof);
	uint32_t n = 0;

	*coming = 0;
	for (struct cof_profile *p = picker->profiles.first; p; p = p->next) {
		const struct cof_version *v = cof_method_current(p->method);

		if (p->phase == phase && (p->state == COF_PROFILE_STARTING ||
					  p->state == COF_PROFILE_COUNTING))
			*coming += expected_ns(picker, p) <= limits->ns;
		if (p->state != COF_PROFILE_FULL || p->method->build.pending ||
		    (double)expected_ns(picker, p) > left_ns ||
		    cof_instrumented_may_be_mixed(cof, p))
			continue;
		if (!v || v->number != p->over) {
			cof_instrumented_end(cof, &picker->profiles, p,
					     &cof->flow->profile.drop_STALE);
			continue;
		}
		to[n++] = (struct cof_candidate){
			.key = p, .phase = p->phase, .since = p->since,
			.heat = p->heat,
			.expected_ns = expected_ns(picker, p),
		};
	}
	return n;
}

static struct cof_build *build_of(struct cof *cof, struct cof_picker *picker,
				  const struct cof_candidate *c)
{
	struct cof_profile *p = c->key;
	struct cof_build *b = cof_build_new(p->method, p->over,
					    &(struct cof_cost_choice){
		.plan = COF_PLAN_PROFILE, .speedup = p->speedup,
		.promised = p->promised, .urgency = p->urgency,
		.estimated_ns = p->estimated_ns, .expected_ns = c->expected_ns,
	});

	if (!b) {
		cof_instrumented_end(cof, &picker->profiles, p,
				     &cof->flow->profile.drop_NO_MEMORY);
		return NULL;
	}
	b->kind = COF_BUILD_PROFILED;
	b->known = p->known;
	b->known_bytes = p->known_bytes;
	b->proven_permille = p->known ? p->proven_permille : 0;
	p->known = NULL;	/* a later profile is newer */
	b->has_profile = p->ahead;
	p->ahead = false;
	cof_instrumented_enter(cof, &picker->profiles, p, COF_PROFILE_BUILDING);
	return b;
}

/* Makes the first `n` a unit; returns their builds, linked. */
static struct cof_build *link_unit(struct cof *cof, struct cof_picker *picker,
				   const struct cof_candidate *all, uint32_t n)
{
	uint32_t unit = n > 1 ? ++picker->units : 0;
	struct cof_build *first = NULL, **end = &first;
	double gain_ns = 0;

	for (uint32_t i = 0; i < n; i++) {
		*end = build_of(cof, picker, &all[i]);
		if (!*end)
			continue;
		(*end)->unit = unit;
		gain_ns += (*end)->urgency * (double)(*end)->expected_ns;
		if (*end != first)
			first->expected_ns += (*end)->expected_ns;
		end = &(*end)->peer;
	}
	if (first && first->peer)
		first->urgency = gain_ns / ((double)first->expected_ns + 1);
	if (first && n > 1)
		cof_log(cof, "COF: P/O makes unit %u of %u methods, the first "
			"is %s", unit, n, first->method->name);
	return first;
}

/*
 * The most CPU time that a unit's build may take. All members wait while a long
 * unit is built, and nobody knows whether the program runs on for long. It is
 * assumed to run for as long again as it ran, or for as long as in earlier
 * runs.
 */
static uint64_t most_ns(const struct cof *cof, const struct cof_picker *picker)
{
	uint64_t all_ns = cof->opts.unit_ms * COF_MS_NS;
	uint64_t ran_ns = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);
	double unproven_ns;
	uint64_t left_ns;

	left_ns = picker->typical_ns > 2 * ran_ns ?
			  picker->typical_ns - ran_ns : ran_ns;
	if (cof->opts.finish)	/* nothing waits for it */
		return all_ns;
	left_ns /= COF_TUNE(unit_future_part);
	if (left_ns < COF_TUNE(unit_least_ms) * COF_MS_NS)
		left_ns = COF_TUNE(unit_least_ms) * COF_MS_NS;
	left_ns = left_ns < all_ns ? left_ns : all_ns;
	unproven_ns = cof_unproven_left_ns(cof);
	return (double)left_ns < unproven_ns ? left_ns : (uint64_t)unproven_ns;
}

struct cof_build *cof_unit_build_next(struct cof *cof,
				      struct cof_picker *picker)
{
	const struct cof_unit_limits limits = {
		.methods = cof->host.build_unit ? cof->opts.unit_methods : 1,
		.ns = most_ns(cof, picker),
		.wait = COF_TUNE(profile_gathering),
	};
	struct cof_candidate *all;
	struct cof_build *b = NULL;
	uint32_t n, coming;

	cof_assert_role(COF_ROLE_PICKER);
	if (picker->profiles.full == 0)
		return NULL;
	all = cof_mem_alloc(picker->profiles.full * sizeof(*all));
	if (!all)
		return NULL;
	n = candidates(cof, picker, &limits, all, &coming);
	n = cof_unit_select(all, n, coming, cof_program_phase_begun(cof),
			    cof_generation_now(cof), &limits);
	if (n > 0)
		b = link_unit(cof, picker, all, n);
	cof_mem_free(all);
	return b;
}
