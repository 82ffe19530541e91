/*
 * filter.c - libcof ends before the filter is there
 */
#include "process/filter.h"

#include <errno.h>
#include <stddef.h>

#include "preload/native.h"
#include "process/exec_self.h"
#include "process/start.h"

void filter_quiesce(void)
{
	const struct cofl_events *events;
	int error = errno;

	/* A child of vfork(2) has its parent's memory, and none of its threads
	 * and timers. */
	if (!start_is_process())
		return;
	start_forgo();
	events = native_events();
	if (events != NULL && events->quiesce != NULL)
		events->quiesce();
	errno = error;
}

void filter_comes(void)
{
	filter_quiesce();
	if (start_is_process())
		exec_self_forgo();
}
