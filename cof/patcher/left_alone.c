/*
 * left_alone.c - see left_alone.h
 */
#include "patcher/left_alone.h"

#include "instance.h"

/* [code] */
static bool has_inlined(const struct cof_version *version)
{
	for (uint32_t i = 0; i < version->links.n_inlined; i++)
		if (cof_method_left_alone(version->links.inlined[i]))
			return true;
	return false;
}

/* A version of plan speed does not say what it has inlined. */
bool cof_left_alone_may_be_in(const struct cof_version *version)
{
	struct cof *cof = version->method->cof;

	if (version->plan == COF_PLAN_SPEED)
		return version->links.left_alone !=
		       atomic_load_explicit(&cof->left_alone,
					    memory_order_relaxed);
	return has_inlined(version);
}

bool cof_left_alone_is_in(const struct cof_version *v)
{
	struct cof *cof = v->method->cof;
	bool is;

	pthread_mutex_lock(&cof->code_lock);
	is = cof_left_alone_may_be_in(v);
	pthread_mutex_unlock(&cof->code_lock);
	return is;
}
