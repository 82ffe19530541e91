/*
 * hidden_threads.h - hide libcof's threads from Mono
 *
 * They are attached to Mono (attach.h). Where Mono looks at every stack, for
 * SIGQUIT or a debugger, it would suspend them too, and wait until they are at
 * a safepoint of managed code. They never are. So Mono does not suspend them,
 * no profiler is told about them, and a program that asks for the stacks of all
 * threads does not get theirs.
 */
#pragma once

#include <stdbool.h>

/* Hide the calling thread, until it ends or is dropped. */
void cofm_hidden_threads_add(void);
void cofm_hidden_threads_drop(void);

/* Is the calling thread hidden? */
bool cofm_hidden_threads_is_current(void);

/* Make Mono's list of threads show the name that the calling thread has for the
 * kernel. The thread is attached. */
void cofm_hidden_threads_name(void *internal_thread);
