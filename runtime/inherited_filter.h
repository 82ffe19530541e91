/*
 * inherited_filter.h - does a filter of system calls forbid what libcof does?
 *
 * A filter (seccomp(2)) of whoever started this process stays over execve(2):
 * systemd's SystemCallFilter=, a container's. It was written for the program,
 * and may end the process at a call that natively nobody makes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * True: there is one, and it would; `why` names the call. A child process has
 * tried each, with arguments that change nothing. A filter that refuses a call
 * by an error is none that forbids it: libcof does without the call.
 */
bool inherited_filter_kills(char *why, size_t why_bytes);
