/*
 * left.h - are libcof's threads the only ones that are left?
 *
 * A process ends when its last thread does. The program's last thread may end
 * by exit(2) itself, past libc and the host; libcof's threads would keep the
 * process for ever. So libcof counts its own threads (own_threads.h), and looks
 * now and then whether there are others.
 *
 * Process-wide.
 */
#pragma once

#include <stdbool.h>

struct cof;

/* Has the process's first thread ended? Without it a process may go on, but few
 * programs are made so. One system call; no file is opened. */
bool cof_left_by_first(void);

/*
 * Are libcof's threads the only ones? Then *status is the exit status that the
 * process would have by now: that of its first thread. Blocks on file I/O if
 * the first thread has ended. Thread: libcof's, not the one for files.
 */
bool cof_left_alone(struct cof *cof, int *status);

/*
 * If so, call `before`, which may be NULL, and have the host end the process
 * (cof_host.left_alone). Returns at once if the host cannot. Thread: as above.
 */
void cof_left_check(struct cof *cof, void (*before)(struct cof *cof));
