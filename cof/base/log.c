/*
 * log.c - format a line, and call the host's log() under the log lock
 */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#include "instance.h"

#define LOG_BYTES 512u

void cof_log(struct cof *cof, const char *format, ...)
{
	char line[LOG_BYTES];
	va_list args;

	if (!cof->opts.verbose || !cof->host.log)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	pthread_mutex_lock(&cof->log_lock);
	cof->host.log(cof->host.ctx, line);
	pthread_mutex_unlock(&cof->log_lock);
}
