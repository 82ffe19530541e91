/*
 * own_threads.h - how many threads of libcof's there are
 *
 * Process-wide. Thread: any; nothing blocks.
 */
#pragma once

#include <stdint.h>

/* A thread of libcof's begins, and ends: called on it. */
void cof_own_threads_enter(void);
void cof_own_threads_leave(void);

/* In a fork's child, which has none of them. */
void cof_own_threads_in_child(void);

/*
 * How many there are, in the low 32 bits. If two calls return the same, no
 * thread has called enter() or leave() between them.
 */
uint64_t cof_own_threads(void);
