/*
 * file_thread.c - the worker thread for files; see file_thread.h
 */
#include "process/file_thread.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cof.h"
#include "instance.h"
#include "process/forked.h"
#include "process/own_threads.h"

struct cof_file_thread_job {
	void (*run)(void *arg);
	void  *arg;
	cof_count *cpu_ns;	/* its CPU time is added here; NULL: nowhere */
	bool   done;		/* [lock] */
};

/*
 * What a library writes to the standard streams goes nowhere, and not into the
 * file that is opened first.
 */
static void take_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (open("/dev/null", O_RDWR | O_CLOEXEC) != fd)
			return;
}

bool cof_file_thread_files(void)
{
	if (syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) != 0)
		return false;
	take_streams();
	return true;
}

static void run_job(struct cof_file_thread_job *job)
{
	uint64_t began = cof_clock_read(CLOCK_THREAD_CPUTIME_ID);

	job->run(job->arg);
	if (job->cpu_ns)
		cof_count_add_shared(job->cpu_ns,
			cof_clock_read(CLOCK_THREAD_CPUTIME_ID) - began);
}

/* For want of another thread. The caller counts the time as its own. */
static void run_here(struct cof_file_thread_job *job)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	job->cpu_ns = NULL;
	run_job(job);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void serve(void *arg)
{
	struct cof_file_thread *a = arg;

	/* If that fails, the thread shares the program's descriptors. */
	(void)cof_file_thread_files();
	while (cof_stage_sleep(&a->stage, UINT64_MAX)) {
		struct cof_file_thread_job *job;

		pthread_mutex_lock(&a->lock);
		job = a->job;
		pthread_mutex_unlock(&a->lock);
		if (!job)
			continue;
		run_job(job);
		pthread_mutex_lock(&a->lock);
		job->done = true;
		a->job = NULL;
		pthread_cond_broadcast(&a->done);
		pthread_mutex_unlock(&a->lock);
	}
}

void cof_file_thread_new(struct cof_file_thread *a)
{
	*a = (struct cof_file_thread){ .job = NULL };
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->done, NULL);
	cof_stage_init(&a->stage, "cof-files", COF_ROLE_APP, serve, a);
}

void cof_file_thread_stop(struct cof_file_thread *a)
{
	pthread_mutex_lock(&a->lock);
	a->stopped = true;
	while (a->job)
		pthread_cond_wait(&a->done, &a->lock);
	pthread_mutex_unlock(&a->lock);
	cof_stage_stop(&a->stage);
}

void cof_file_thread_free(struct cof_file_thread *a)
{
	cof_file_thread_stop(a);
	pthread_cond_destroy(&a->done);
	pthread_mutex_destroy(&a->lock);
}

/* [lock] */
static bool has_thread(struct cof_file_thread *a)
{
	return !a->stopped &&
	       (a->stage.started || cof_stage_start(&a->stage) == 0);
}

/* Run the job on the worker thread. False: the thread is busy, or there is
 * none. */
static bool run_on_worker(struct cof_file_thread *a,
			  struct cof_file_thread_job *job)
{
	bool taken;

	pthread_mutex_lock(&a->lock);
	taken = !a->job && has_thread(a);
	if (taken) {
		a->job = job;
		cof_stage_wake(&a->stage);
		while (!job->done)
			pthread_cond_wait(&a->done, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return taken;
}

static void *second_main(void *arg)
{
	cof_own_threads_enter();
	pthread_setname_np(pthread_self(), "cof-files");
	(void)cof_file_thread_files();
	run_job(arg);
	cof_own_threads_leave();
	return NULL;
}

/* Run the job on a thread made for it. False: no such thread can be made. */
static bool run_on_second(struct cof_file_thread_job *job)
{
	pthread_t thread;

	return cof_stage_thread(&thread, NULL, second_main, job) == 0 &&
	       pthread_join(thread, NULL) == 0;
}

void cof_call_with_private_files(struct cof *cof, void (*run)(void *arg),
				 void *arg)
{
	struct cof_file_thread_job job = {
		.run = run, .arg = arg,
		.cpu_ns = cof && cof->flow ? &cof->flow->optimizer.files_ns :
					     NULL,
	};
	int cancel;

	/* Other threads use the job, which lies in this frame, until done. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	/*
	 * A fork's child does not have the thread, and there the lock may be
	 * held. A stepped instance is to have no thread.
	 */
	if (!cof || cof->stepped || cof_forked_is_child(cof) ||
	    (!run_on_worker(&cof->file_thread, &job) && !run_on_second(&job)))
		run_here(&job);
	pthread_setcancelstate(cancel, NULL);
}
