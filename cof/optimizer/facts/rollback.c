/*
 * rollback.c - see rollback.h
 */
#include "optimizer/facts/rollback.h"

#include "base/log.h"
#include "instance.h"

void cof_rollback_note(struct cof *cof, struct cof_method *method,
		       enum cof_plan plan)
{
	struct cof_flow_audit *flow = &cof->flow->audit;
	uint64_t now = cof_generation_now(cof);
	uint32_t n = method->trial.rollbacks[plan];

	cof_count_add(&flow->rollbacks, 1);
	cof_improved_set(&method->build.improved, COF_IMPROVED_SLOWER);
	if (n < UINT8_MAX)
		method->trial.rollbacks[plan] = (uint8_t)++n;
	if (n >= cof->opts.audit_bans) {
		method->trial.banned_until[plan] = UINT64_MAX;
		cof_count_add(&flow->banned, 1);
		cof_log(cof, "COF: AUDIT: plan %d of %s is banned", (int)plan,
			method->name);
	} else {
		method->trial.banned_until[plan] = now +
			((uint64_t)cof->opts.backoff_generations << (n - 1));
	}
}

bool cof_rollback_bans(const struct cof_method *method, enum cof_plan plan)
{
	return cof_generation_now(method->cof) <
	       method->trial.banned_until[plan];
}
