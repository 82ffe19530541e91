/*
 * thread_room.h - may the program have libcof's threads beside its own?
 *
 * A limit on threads (RLIMIT_NPROC, pids.max of a control group) is for the
 * program, which may need all that is left of it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False: a limit leaves so few that the program would miss those of libcof's;
 * `why` names it. Async-signal-safe, but for its 8 KB of stack. */
bool thread_room_is_left(char *why, size_t why_bytes);
