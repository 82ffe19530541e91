/*
 * sampling_signal.c - which signal it is, and whether libcof has it; see cof.h
 */
#include "cof.h"
#include "instance.h"
#include "process/process.h"

int cof_sampling_signal(const struct cof *cof)
{
	return cof->opts.mode == COF_MODE_OFF || cof_is_quiet(cof) ?
		0 : (int)cof->opts.signal;
}

void cof_sampling_signal_check(struct cof *cof)
{
	int sig = cof_sampling_signal(cof);

	if (sig != 0)
		cof_process_signal_check(sig);
}
