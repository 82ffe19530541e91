/*
 * file_thread.h - a worker thread for files, with file descriptors of its own
 *
 * libcof reads files of /proc while the program runs, and hosts store what they
 * build in files. On a thread that shares the program's descriptors, each of
 * these files takes, for a moment, the number that the program's own open(2)
 * would have got. If the program closes all descriptors that it did not open,
 * libcof then reads the program's file that gets the number next.
 *
 * The worker thread shares no descriptors. At first its table has /dev/null
 * three times, for the standard streams, and nothing of the program's stays
 * open in it (close_range(2), CLOSE_RANGE_UNSHARE).
 *
 * One worker thread executes jobs. If it is busy, the caller starts a second
 * one for its job, so no caller waits for another's I/O.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "process/stage.h"

struct cof_file_thread_job;

struct cof_file_thread {
	struct cof_stage stage;		/* [lock] its start */
	pthread_mutex_t  lock;
	pthread_cond_t   done;		/* a job is */
	struct cof_file_thread_job *job; /* [lock] NULL: none */
	bool             stopped;	/* [lock] the thread starts no more */
};

/*
 * cof_call_with_private_files() of cof.h may be called between new and free.
 * The first job starts the thread; stop joins it, and later jobs start none.
 */
void cof_file_thread_new(struct cof_file_thread *a);
void cof_file_thread_stop(struct cof_file_thread *a);
void cof_file_thread_free(struct cof_file_thread *a);

/*
 * From now on the calling thread's descriptors are its own: 0 to 2, which are
 * /dev/null, and no others. False: Linux is older than 5.9, or a filter forbids
 * it. Then nothing changed.
 */
bool cof_file_thread_files(void);
