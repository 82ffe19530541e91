/*
 * sampled_time.c - samples times period
 */
#include "optimizer/facts/sampled_time.h"

#include "instance.h"

uint64_t cof_sampled_time_period_ns(const struct cof *cof)
{
	uint64_t ns = cof_count_get(&cof->flow->sampler.sample_ns);

	/* 0: the source has not reported its period yet. */
	return ns ? ns : 1000000000u / cof->opts.sample_hz;
}

double cof_sampled_time_past_ns(const struct cof *cof,
				const struct cof_version *version)
{
	return version->method->build.past_ns +
	       (double)cof_sampled_time_period_ns(cof) *
	       (double)atomic_load_explicit(
			&((struct cof_version *)version)->sampled.total,
			memory_order_relaxed);
}
