/*
 * trial_known.c - see trial_known.h
 */
#include "optimizer/trial/trial_known.h"

#include "code/method.h"
#include "measure/expected_gain.h"
#include "optimizer/trial/trial.h"
#include "options/tuning.h"

bool cof_trial_known_is_proven(const struct cof_member *m,
			       const struct cof_measure *measure)
{
	return m->b->promise.proven_permille &&
	       (!measure->known || measure->error > COF_TUNE(trial_tell_error));
}

void cof_trial_known_publish(const struct cof_member *m,
			     const struct cof_measure *measure)
{
	if (cof_trial_known_is_proven(m, measure))
		cof_method_tried(m->method,
				 (int32_t)m->b->promise.proven_permille - 1000,
				 1);
	else
		cof_method_tried(m->method, cof_expected_gain_permille(measure),
				 cof_expected_gain_weight(measure));
}

bool cof_trial_known_any_proven(const struct cof_trial *t,
				const struct cof_measure *now)
{
	bool any = false;

	for (uint32_t i = 0; i < t->n; i++)
		any |= cof_trial_known_is_proven(&t->member[i], now);
	return any;
}
