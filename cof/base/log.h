/*
 * log.h - lines for the host's log
 *
 * Thread: any, but not a signal handler. Blocking: waits while another thread
 * writes a line.
 */
#pragma once

struct cof;

/*
 * Write a line to the host's log if option verbose is on; nothing else. As
 * printf(3); cut to 511 bytes.
 */
void cof_log(struct cof *cof, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
