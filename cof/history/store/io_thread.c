/*
 * io_thread.c - calls the store, one request after the other; see io_thread.h
 *
 * One lock guards all but the store itself. No callback and no I/O is under it.
 *
 * Couriers of one process take turns. Locks on files belong to a file table,
 * but SQLite believes that they belong to the process, and shares what it knows
 * of a file among all connections to it.
 */
#include "history/store/io_thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/tsan.h"
#include "history/store/db_path.h"
#include "memory/mem.h"
#include "process/file_thread.h"
#include "process/own_threads.h"
#include "process/stage.h"

#define REQUEST_NS UINT64_C(2000000000)	/* at least; then the store is
					 * given up */
#define NAP_NS     50000	/* between looks whether the thread has ended */

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;

struct cof_history_io_thread {
	/* Constant. */
	pthread_t                 thread;	/* the owner's to join */
	char                      where[COF_HISTORY_PATH];
	struct cof_history_limits limits;

	pthread_mutex_t           lock;
	pthread_cond_t            asked;	/* to do, or leaving */
	pthread_cond_t            back;		/* a request is done */
	/* [lock] */
	unsigned                  holders;	/* the thread, the owner */
	bool                      leaving;
	bool                      want_past, want_save;
	/* The latest request asked for, numbered from 1, and the latest
	 * done. */
	uint64_t                  loads, saves;
	uint64_t                  loaded, saved;
	struct cof_history_id     id;
	struct cof_history_past   past;
	enum cof_history_result   load_result, save_result;
	char                      load_why[COF_HISTORY_WHY];
	char                      save_why[COF_HISTORY_WHY];
	struct cof_history_record record;
};

/* -- The thread ------------------------------------------------------------ */

/* Linux before 5.9 can only copy the table. The thread then holds the program's
 * files open until it ends. False: not even that. */
static bool unshare_files(void)
{
	return cof_file_thread_files() || unshare(CLONE_FILES) == 0;
}

static enum cof_history_result
open_store(const struct cof_history_io_thread *c,
	   enum cof_history_access access,
	   struct cof_history_store **store, char why[COF_HISTORY_WHY])
{
	uint64_t ns = c->limits.request_ns > REQUEST_NS ?
		      c->limits.request_ns : REQUEST_NS;

	return cof_history_store_open(c->where, access, cof_clock_ns() + ns,
				      store, why);
}

/* Called with the lock held, which it drops for the I/O; so does go_save(). */
static void go_load(struct cof_history_io_thread *c)
{
	struct cof_history_past past = { 0 };
	struct cof_history_id id = c->id;
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;
	enum cof_history_result r;
	uint64_t request = c->loads;

	c->want_past = false;
	pthread_mutex_unlock(&c->lock);
	pthread_mutex_lock(&turns);
	cof_tsan_files_begin();
	r = open_store(c, COF_HISTORY_READ, &store, why);
	if (r == COF_HISTORY_OK) {
		r = store->ops->load(store, &id, &c->limits, &past, why);
		store->ops->close(store);
	}
	cof_tsan_files_end();
	pthread_mutex_unlock(&turns);
	pthread_mutex_lock(&c->lock);
	cof_history_past_free(&c->past);
	c->past = past;
	c->load_result = r;
	memcpy(c->load_why, why, sizeof(why));
	c->loaded = request;
}

static void go_save(struct cof_history_io_thread *c)
{
	struct cof_history_record record = c->record;
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_store *store;
	enum cof_history_result r;
	uint64_t request = c->saves;

	c->want_save = false;
	memset(&c->record, 0, sizeof(c->record));
	pthread_mutex_unlock(&c->lock);
	pthread_mutex_lock(&turns);
	cof_tsan_files_begin();
	r = open_store(c, COF_HISTORY_WRITE, &store, why);
	if (r == COF_HISTORY_OK) {
		r = store->ops->save(store, &record, &c->limits, why);
		store->ops->close(store);
	}
	cof_tsan_files_end();
	pthread_mutex_unlock(&turns);
	cof_history_record_free(&record);
	pthread_mutex_lock(&c->lock);
	c->save_result = r;
	memcpy(c->save_why, why, sizeof(why));
	c->saved = request;
}

static void refuse_all(struct cof_history_io_thread *c)
{
	static const char text[] = "no file table of one's own";

	if (c->want_past) {
		c->load_result = COF_HISTORY_REFUSED;
		snprintf(c->load_why, sizeof(c->load_why), "%s", text);
		c->loaded = c->loads;
	}
	if (c->want_save) {
		c->save_result = COF_HISTORY_REFUSED;
		snprintf(c->save_why, sizeof(c->save_why), "%s", text);
		c->saved = c->saves;
	}
	c->want_past = c->want_save = false;
}

/* Called with the lock held, which it drops. */
static void drop_hold(struct cof_history_io_thread *c)
{
	bool last = --c->holders == 0;

	pthread_mutex_unlock(&c->lock);
	if (!last)
		return;
	cof_history_past_free(&c->past);
	cof_history_record_free(&c->record);
	pthread_cond_destroy(&c->asked);
	pthread_cond_destroy(&c->back);
	pthread_mutex_destroy(&c->lock);
	cof_mem_free(c);
}

static void *thread_main(void *arg)
{
	struct cof_history_io_thread *c = arg;
	bool private_files;

	cof_own_threads_enter();
	pthread_setname_np(pthread_self(), "cof-history");
	private_files = unshare_files();
	pthread_mutex_lock(&c->lock);
	for (;;) {
		if (!private_files)
			refuse_all(c);
		else if (c->want_past)
			go_load(c);
		else if (c->want_save)
			go_save(c);
		pthread_cond_broadcast(&c->back);
		if (c->want_past || c->want_save)
			continue;
		if (c->leaving)
			break;
		pthread_cond_wait(&c->asked, &c->lock);
	}
	drop_hold(c);
	cof_own_threads_leave();
	return NULL;
}

/* -- Other threads --------------------------------------------------------- */

struct cof_history_io_thread *
cof_history_io_thread_new(const char *where,
			  const struct cof_history_limits *limits)
{
	struct cof_history_io_thread *c;

	if (strlen(where) >= sizeof(c->where))
		return NULL;
	c = cof_mem_alloc(sizeof(*c));
	if (!c)
		return NULL;
	strcpy(c->where, where);
	c->limits = *limits;
	c->holders = 2;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->asked, NULL);
	pthread_cond_init(&c->back, NULL);
	if (cof_stage_thread(&c->thread, NULL, thread_main, c) == 0)
		return c;
	pthread_mutex_lock(&c->lock);
	c->holders = 1;
	drop_hold(c);
	return NULL;
}

/* Called with the lock held. Waits until *done has reached `number`. False: it
 * has not within wait_ns. */
static bool wait_for(struct cof_history_io_thread *c, const uint64_t *done,
		     uint64_t number, uint64_t wait_ns)
{
	uint64_t at = cof_clock_ns() + wait_ns;
	struct timespec until = {
		.tv_sec = (time_t)(at / 1000000000u),
		.tv_nsec = (long)(at % 1000000000u),
	};

	while (wait_ns > 0 && *done < number)
		if (pthread_cond_clockwait(&c->back, &c->lock, CLOCK_MONOTONIC,
					   &until) == ETIMEDOUT)
			break;
	return *done >= number;
}

static enum cof_history_result late(char why[COF_HISTORY_WHY])
{
	snprintf(why, COF_HISTORY_WHY, "it did not answer in time");
	return COF_HISTORY_BUSY;
}

enum cof_history_result
cof_history_io_thread_load(struct cof_history_io_thread *c,
			   const struct cof_history_id *id, uint64_t wait_ns,
			   struct cof_history_past *past,
			   char why[COF_HISTORY_WHY])
{
	enum cof_history_result r;

	memset(past, 0, sizeof(*past));
	pthread_mutex_lock(&c->lock);
	c->id = *id;
	c->want_past = true;
	c->loads++;
	pthread_cond_signal(&c->asked);
	if (wait_for(c, &c->loaded, c->loads, wait_ns)) {
		r = c->load_result;
		memcpy(why, c->load_why, sizeof(c->load_why));
		*past = c->past;
		memset(&c->past, 0, sizeof(c->past));
	} else {
		r = late(why);
	}
	pthread_mutex_unlock(&c->lock);
	return r;
}

enum cof_history_result
cof_history_io_thread_save(struct cof_history_io_thread *c,
			   struct cof_history_record *record, uint64_t wait_ns,
			   char why[COF_HISTORY_WHY])
{
	enum cof_history_result r;

	pthread_mutex_lock(&c->lock);
	cof_history_record_free(&c->record);
	c->record = *record;
	memset(record, 0, sizeof(*record));
	c->want_save = true;
	c->saves++;
	pthread_cond_signal(&c->asked);
	if (wait_for(c, &c->saved, c->saves, wait_ns)) {
		r = c->save_result;
		memcpy(why, c->save_why, sizeof(c->save_why));
	} else {
		r = late(why);
	}
	pthread_mutex_unlock(&c->lock);
	return r;
}

enum cof_history_result
cof_history_io_thread_result(struct cof_history_io_thread *c,
			     char why[COF_HISTORY_WHY])
{
	enum cof_history_result r;

	pthread_mutex_lock(&c->lock);
	r = c->save_result;
	memcpy(why, c->save_why, sizeof(c->save_why));
	pthread_mutex_unlock(&c->lock);
	return r;
}

bool cof_history_io_thread_is_lost(void)
{
	if (pthread_mutex_trylock(&turns) != 0)
		return true;
	pthread_mutex_unlock(&turns);
	return false;
}

/* ThreadSanitizer does not know pthread_clockjoin_np(3). False: it has not
 * ended within wait_ns. */
static bool join(pthread_t thread, uint64_t wait_ns)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	uint64_t until_ns = cof_clock_ns() + wait_ns;

	if (wait_ns == 0)
		return false;
	while (pthread_tryjoin_np(thread, NULL) != 0) {
		if (cof_clock_ns() >= until_ns)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

void cof_history_io_thread_leave(struct cof_history_io_thread *c,
				 uint64_t wait_ns)
{
	pthread_t thread;

	if (!c)
		return;
	thread = c->thread;
	pthread_mutex_lock(&c->lock);
	c->leaving = true;
	pthread_cond_signal(&c->asked);
	drop_hold(c);
	if (!join(thread, wait_ns))
		pthread_detach(thread);
}
