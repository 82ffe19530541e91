/*
 * retire.c - mark a version, count it, put it into the list
 */
#include "patcher/retire.h"

#include "base/clock.h"
#include "code/version_list.h"
#include "instance.h"

uint64_t cof_retire_bytes(const struct cof_version *v)
{
	return v->code.block.exec ? v->code.block.size_bytes : 0;
}

void cof_retire_count(struct cof *cof, const struct cof_version *v)
{
	cof_count_add(&cof->flow->reclaim.retired, 1);
	cof_count_add_shared(&cof->flow->reclaim.waiting, 1);
	cof_count_add_shared(&cof->flow->patcher.code_retired,
			     cof_retire_bytes(v));
}

void cof_retire(struct cof *cof, struct cof_version *v)
{
	cof_word_flags(&v->word, COF_WORD_DEAD, 0);
	v->state = COF_VERSION_RETIRED;
	v->retired.at_ns = cof_clock_ns();
	cof_version_list_push(&cof->retired, v);
	if (!v->retired.never)
		cof_retire_count(cof, v);
}
