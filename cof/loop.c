/*
 * loop.c - see loop.h
 */
#include "loop.h"

#include "instance.h"
#include "optimizer/audit.h"
#include "optimizer/optimizer.h"
#include "optimizer/phases.h"
#include "patcher/codemem.h"
#include "predictor/predictor.h"

int cof_loop_new(struct cof *cof)
{
	int err = cof_audit_start(cof);

	if (!err)
		err = cof_phases_start(cof);
	if (!err)
		err = cof_optimizer_new(cof);
	if (!err && cof->opts.mode != COF_MODE_PGO)
		err = cof_predictor_new(cof);
	return err;
}

int cof_loop_start(struct cof *cof)
{
	int err;

	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_keep(cof->codemem);
	pthread_mutex_unlock(&cof->code_lock);
	if (cof->stepped)
		return 0;
	err = cof_optimizer_start(cof);
	return err || !cof->predictor ? err : cof_predictor_start(cof);
}
