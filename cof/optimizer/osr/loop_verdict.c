/*
 * loop_verdict.c - see loop_verdict.h
 */
#include "optimizer/osr/loop_verdict.h"

#include <math.h>

#include "code/method.h"
#include "measure/expected_gain.h"

enum cof_audit_state cof_loop_verdict_state(bool tried, bool found,
					    bool keeps_b)
{
	return !tried ? COF_AUDIT_NONE : !found ? COF_AUDIT_OPEN :
	       keeps_b ? COF_AUDIT_KEPT : COF_AUDIT_BACK;
}

double cof_loop_verdict_speed(bool found, bool keeps_b,
			      const struct cof_measure *m)
{
	double speed = 1;

	if (!m->known || !keeps_b)
		return 1;
	if (found)
		return exp(-m->log_time);
	speed += cof_expected_gain_permille(m) / 1000.0;
	return speed > 1 ? speed : 1;
}

void cof_loop_verdict_so_far(struct cof_method *method,
			     const struct cof_measure *m)
{
	uint32_t state = atomic_load_explicit(&method->trial.loops_state,
					      memory_order_relaxed);

	if (m->known && state != COF_AUDIT_KEPT && state != COF_AUDIT_BACK)
		cof_method_loops_tried(method, COF_AUDIT_OPEN, 1 +
				       cof_expected_gain_permille(m) / 1000.0);
}

enum cof_loop_act cof_loop_verdict_stressed(enum cof_loop_act act,
					    uint64_t random)
{
	if (random >> 8 & 3)
		return act;
	return random >> 16 & 1 ? COF_LOOP_KEEP_A : COF_LOOP_KEEP_B;
}
