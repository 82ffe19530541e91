/*
 * apart.c - see apart.h
 */
#include "apart.h"

#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cof.h"
#include "instance.h"
#include "process.h"

struct cof_apart_job {
	void (*run)(void *arg);
	void  *arg;
	bool   done;		/* [lock] */
};

bool cof_apart_files(void)
{
	return syscall(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE) == 0;
}

/* Without a table of its own it shares the program's, as its caller would. */
static void run_apart(struct cof_apart_job *job)
{
	cof_compile_enter();
	job->run(job->arg);
	cof_compile_leave();
}

static void serve(void *arg)
{
	struct cof_apart *a = arg;

	(void)cof_apart_files();
	while (cof_stage_sleep(&a->stage, UINT64_MAX)) {
		struct cof_apart_job *job;

		pthread_mutex_lock(&a->lock);
		job = a->job;
		pthread_mutex_unlock(&a->lock);
		if (!job)
			continue;
		run_apart(job);
		pthread_mutex_lock(&a->lock);
		job->done = true;
		a->job = NULL;
		pthread_cond_broadcast(&a->done);
		pthread_mutex_unlock(&a->lock);
	}
}

void cof_apart_new(struct cof_apart *a)
{
	*a = (struct cof_apart){ .job = NULL };
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->done, NULL);
	cof_stage_init(&a->stage, "cof-files", COF_ROLE_APP, serve, a);
	a->forks = cof_process_forks();
}

void cof_apart_stop(struct cof_apart *a)
{
	pthread_mutex_lock(&a->lock);
	a->refused = true;
	while (a->job)
		pthread_cond_wait(&a->done, &a->lock);
	pthread_mutex_unlock(&a->lock);
	cof_stage_stop(&a->stage);
}

void cof_apart_free(struct cof_apart *a)
{
	cof_apart_stop(a);
	pthread_cond_destroy(&a->done);
	pthread_mutex_destroy(&a->lock);
}

/* Under the lock. */
static bool has_thread(struct cof_apart *a)
{
	if (!a->stage.started && !a->refused)
		a->refused = cof_stage_start(&a->stage) != 0;
	return !a->refused;
}

/* Is the thread free for it? Then it was done. */
static bool serve_one(struct cof_apart *a, struct cof_apart_job *job)
{
	bool ours;

	pthread_mutex_lock(&a->lock);
	ours = !a->job && has_thread(a);
	if (ours) {
		a->job = job;
		cof_stage_wake(&a->stage);
		while (!job->done)
			pthread_cond_wait(&a->done, &a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	return ours;
}

static void *run_alone(void *arg)
{
	pthread_setname_np(pthread_self(), "cof-files");
	(void)cof_apart_files();
	run_apart(arg);
	return NULL;
}

static bool has_one_made(struct cof_apart_job *job)
{
	pthread_t thread;

	return cof_stage_thread(&thread, NULL, run_alone, job) == 0 &&
	       pthread_join(thread, NULL) == 0;
}

void cof_apart(struct cof *cof, void (*run)(void *arg), void *arg)
{
	struct cof_apart_job job = { .run = run, .arg = arg };

	/* In a fork's child the thread is not there, and the lock may be held. */
	if (!cof || cof->apart.forks != cof_process_forks() ||
	    (!serve_one(&cof->apart, &job) && !has_one_made(&job)))
		run(arg);
}
