/*
 * finish.c - see finish.h
 */
#include "process/finish.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>

#include "base/rawcall.h"
#include "preload/native.h"
#include "preload/stderr_line.h"
#include "process/start.h"

static void say(const char *program, uint64_t n)
{
	char line[4096];

	snprintf(line, sizeof(line), "runtime: %.4000s: %" PRIu64
		 " function%s built", program, n, n == 1 ? "" : "s");
	stderr_line(line);
}

void finish_run(const char *program)
{
	const struct cofl_events *events = start_now() ? native_events() : NULL;

	if (events != NULL && events->finish != NULL)
		say(program, events->finish());
	/* Handlers of exit(3) are the program's. */
	for (;;)
		cof_raw(SYS_exit_group, events == NULL, 0, 0, 0);
}
