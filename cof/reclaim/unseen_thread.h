/*
 * unseen_thread.h - has the process a thread that libcof does not know?
 *
 * Such a thread answers no round, and may be in any version. A host can make
 * known that all threads attach (cof_host.attaches_all). But a program may make
 * some past its host: by a clone(2) of its own, or by a pthread_create(3) that
 * it looked up in libc itself.
 */
#pragma once

#include <stdbool.h>

struct cof;

/*
 * True: there is one, or it cannot be said now, since a thread begins or ends.
 * False: there was none at one moment of the call; or the host does not attach
 * all, or /proc cannot be read.
 *
 * Thread: P/O, no lock held. Takes about a ms if there seems to be one, and
 * blocks on file I/O.
 */
bool cof_unseen_thread(struct cof *cof);

/* Is it the kernel's own, from its line of /proc/PID/task/TID/stat? io_uring
 * has such threads, which count as the process's. Pure. */
bool cof_unseen_thread_is_kernels(const char *stat);
