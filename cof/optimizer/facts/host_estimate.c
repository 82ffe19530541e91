/*
 * host_estimate.c - asks the host
 */
#include "optimizer/facts/host_estimate.h"

#include "instance.h"

struct cof_estimate cof_host_estimate(const struct cof *cof,
				      const struct cof_method *method,
				      enum cof_plan now, enum cof_plan plan)
{
	const struct cof_host *host = &cof->host;
	struct cof_estimate e = { 0 };

	if (!host->estimate ||
	    host->estimate(host->ctx, method->data, now, plan, &e) != 0)
		e = (struct cof_estimate){ 0 };
	return e;
}
