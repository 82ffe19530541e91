/*
 * log.h - lines for the host's log
 *
 * Thread: any, but not a signal handler. A line waits for the one that is
 * being written.
 */
#ifndef COF_BASE_LOG_H
#define COF_BASE_LOG_H

struct cof;

/* A line for the host's log, if option verbose is on; printf-like, at most 511
 * bytes. */
void cof_log(struct cof *cof, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* COF_BASE_LOG_H */
