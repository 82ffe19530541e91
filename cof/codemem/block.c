/*
 * block.c - blocks of code memory and near data, for the host
 */
#include "codemem/block.h"
#include "codemem/codemem.h"
#include "instance.h"
#include "process/barrier.h"

void cof_block_count(struct cof *cof)
{
	struct cof_flow_patcher *flow = &cof->flow->patcher;
	const struct cof_codemem *mem = cof->codemem;

	cof_count_set(&flow->code_reserved, cof_codemem_range(mem)->bytes);
	cof_count_set(&flow->code_first, cof_codemem_used(mem, COF_CODE_FIRST));
	cof_count_set(&flow->code_hot, cof_codemem_used(mem, COF_CODE_HOT));
	cof_count_set(&flow->data_bytes, cof_codemem_data_used(mem));
}

int cof_code_alloc(struct cof *cof, size_t size_bytes, enum cof_code_area area,
		   struct cof_code *out)
{
	int err;

	if (!cof || !out || (area != COF_CODE_FIRST && area != COF_CODE_HOT))
		return -COF_E_INVAL;
	pthread_mutex_lock(&cof->code_lock);
	err = cof_codemem_alloc(cof->codemem, size_bytes, area, out);
	cof_block_count(cof);
	pthread_mutex_unlock(&cof->code_lock);
	return err;
}

/*
 * A thread that runs the next code at these addresses must not have stale
 * instructions of this block in its pipeline. Without a barrier the addresses
 * are never reused.
 */
void cof_code_free(struct cof *cof, const struct cof_code *block)
{
	if (!cof_barrier(cof))
		return;
	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_release(cof->codemem, block);
	cof_block_count(cof);
	pthread_mutex_unlock(&cof->code_lock);
}

void *cof_data_alloc(struct cof *cof, size_t size_bytes, size_t align)
{
	void *data;

	pthread_mutex_lock(&cof->code_lock);
	data = cof_codemem_data(cof->codemem, size_bytes, align);
	cof_block_count(cof);
	pthread_mutex_unlock(&cof->code_lock);
	return data;
}

int cof_is_near(const struct cof *cof)
{
	return cof->host.near != NULL &&
	       cof_code_range_reaches(cof_codemem_range(cof->codemem),
				      cof->host.near, cof->host.near_bytes);
}
