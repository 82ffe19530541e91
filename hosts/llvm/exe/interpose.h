/*
 * interpose.h - attach the program's threads to libcof
 *
 * Process-wide: cof-llvm defines
 *
 *	pthread_create(3), thrd_create(3)	calls of the program and of all
 *						libraries, as of std::thread
 *	pthread_getattr_np(3)			stacks that the program gave
 *	timer_create(2), mq_notify(3)		may start a thread in libc
 *	__cxa_atexit()				keeps LLVM alive in the
 *						program's exit handlers
 */
#pragma once

#include <stdbool.h>

struct cofl;

/* From now on the calling thread and all new threads are the program's. Once.
 * False: no memory. */
bool interpose_threads(struct cofl *host);
