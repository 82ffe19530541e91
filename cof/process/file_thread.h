/*
 * file_thread.h - what opens files, on a thread with file descriptors of its own
 *
 * libcof reads files of /proc while the program runs, and hosts keep what they build
 * in files. On a thread of the program's, or one that shares its descriptors, each
 * takes a number for a moment that the program's own open(2) would have got, and
 * where a program closes all descriptors it did not open, what is read is the
 * program's file that has the number next. Here nothing is shared: the table has
 * /dev/null three times at first, for the standard streams, and nothing of the program's
 * stays open by it (close_range(2), CLOSE_RANGE_UNSHARE).
 *
 * One thread serves all that are not in each other's way; who finds it busy has one
 * of its own made.
 */
#ifndef COF_PROCESS_FILE_THREAD_H
#define COF_PROCESS_FILE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#include "process/forked.h"
#include "process/stage.h"

struct cof_file_thread_job;

struct cof_file_thread {
	struct cof_stage      stage;	/* [lock] its start */
	pthread_mutex_t       lock;
	pthread_cond_t        done;	/* with some job */
	struct cof_file_thread_job *job;	/* [lock] NULL: none */
	bool                  stopped;	/* [lock] none is to be made any more */
};

/* cof_call_with_private_files() of cof.h needs it from new to free. The thread is made when there is
 * something to do, and not after stop, which joins it. */
void cof_file_thread_new(struct cof_file_thread *apart);
void cof_file_thread_stop(struct cof_file_thread *apart);
void cof_file_thread_free(struct cof_file_thread *apart);

/* From now on the calling thread's descriptors are its own: 0 to 2, which are
 * /dev/null, and no others.
 * False: Linux before 5.9, or a filter that forbids it; nothing changed. */
bool cof_file_thread_files(void);

#endif /* COF_PROCESS_FILE_THREAD_H */
