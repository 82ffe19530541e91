/*
 * profile.c - change and query the states of profiles
 */
#include "optimizer/instrumented/profile.h"

#include "memory/mem.h"
#include "options/opts.h"
#include "options/tuning.h"

#define DOUBLINGS_MAX 16u

struct cof_profile *cof_profiles_of(struct cof_profiles *all,
				    struct cof_method *method)
{
	struct cof_profile *p = method->profile;

	if (p)
		return p;
	p = cof_mem_alloc(sizeof(*p));
	if (!p)
		return NULL;
	p->method = method;
	p->next = all->first;
	all->first = p;
	method->profile = p;
	return p;
}

static uint32_t *count_of(struct cof_profiles *all, enum cof_profile_state s)
{
	if (s == COF_PROFILE_COUNTING)
		return &all->counting;
	return s == COF_PROFILE_FULL ? &all->full : NULL;
}

void cof_profile_enter(struct cof_profiles *all, struct cof_profile *p,
		       enum cof_profile_state state, uint64_t generation)
{
	uint32_t *left = count_of(all, p->state);
	uint32_t *entered = count_of(all, state);

	if (left)
		--*left;
	if (entered)
		++*entered;
	p->state = state;
	p->since = generation;
	p->cheap = false;
}

void cof_profile_picked(struct cof_profile *p, uint64_t phase)
{
	uint32_t doublings = p->times < DOUBLINGS_MAX ? p->times :
							DOUBLINGS_MAX;

	p->phase = phase;
	p->earliest_phase = phase + ((uint64_t)1 << doublings);
	p->times++;
}

bool cof_profile_allowed(const struct cof_profile *p, uint64_t phase)
{
	if (!p || p->times == 0)
		return true;
	return (p->state == COF_PROFILE_NO || p->state == COF_PROFILE_HAS) &&
	       phase >= p->earliest_phase;
}

bool cof_profile_is_pending(const struct cof_profile *p)
{
	return p && p->state != COF_PROFILE_NO && p->state != COF_PROFILE_HAS;
}

enum cof_fullness cof_profile_fullness(const struct cof_profile *p,
				       uint64_t counted, uint64_t generation,
				       bool dear, const struct cof_opts *opts)
{
	uint64_t passed = generation > p->since ? generation - p->since : 0;

	/* The generation in which it began was a partial one. */
	if (counted >= opts->profile_counts &&
	    (dear || passed > COF_TUNE(profile_least)))
		return COF_FULLNESS_FULL;
	if (passed < opts->profile_generations)
		return COF_FULLNESS_NOT_YET;
	return counted > 0 ? COF_FULLNESS_FULL : COF_FULLNESS_EMPTY;
}

bool cof_profiles_cost(const struct cof_profiles *all)
{
	const struct cof_profile *p = all->counting > 0 ? all->first : NULL;

	while (p && (p->state != COF_PROFILE_COUNTING || p->cheap))
		p = p->next;
	return p;
}

void cof_profiles_free(struct cof_profiles *all)
{
	struct cof_profile *p, *next;

	for (p = all->first; p; p = next) {
		next = p->next;
		p->method->profile = NULL;
		cof_mem_free(p);
	}
	*all = (struct cof_profiles){ 0 };
}
