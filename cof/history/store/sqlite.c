/*
 * sqlite.c - open and close the SQLite store
 *
 *	PATH      the path can be trusted, and the file is empty or ours
 *	PATH.2    else, if the file at PATH is not a history this libcof
 *	          understands: it is left alone
 *	PATH.damaged   one of ours that turned out to be broken was moved here
 */
#include "history/store/sqlite.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "memory/mem.h"

#define HEADER_BYTES  100u		/* of an SQLite file, by its spec */
#define AT_FORMAT     18u		/* 2 bytes: 1 is rollback journal */
#define AT_COOKIE     40u		/* counts changes of the schema */
#define AT_VERSION    60u		/* user_version, big-endian */
#define AT_APPLICATION 68u
#define STEPS         1000		/* SQLite's, between on_steps() */
#define STEPS_MAX     UINT64_C(100000000) /* no sound file needs so many */
#define NAP_NS        1000000L
#define HEAP_BYTES    (64 << 20)
#define VALUE_BYTES   (2 << 20)		/* of one value or row */

/* -- Time ------------------------------------------------------------------ */

/* SQLite calls this now and then; nonzero makes it give up. */
static int on_steps(void *arg)
{
	struct cof_history_db *d = arg;

	if (d->ops < STEPS_MAX)
		d->ops += STEPS;
	else
		d->ops = UINT64_MAX;	/* sqlite_query.c takes it for damage */
	return d->ops == UINT64_MAX || cof_clock_ns() > d->deadline_ns;
}

/* Another connection has locked the file. Nonzero: try again. */
static int on_busy(void *arg, int times)
{
	struct cof_history_db *d = arg;
	struct timespec nap = { .tv_nsec = NAP_NS };

	(void)times;
	if (cof_clock_ns() > d->deadline_ns)
		return 0;
	nanosleep(&nap, NULL);
	return 1;
}

/* -- Is it ours? ----------------------------------------------------------- */

enum kind { KIND_EMPTY, KIND_OURS, KIND_OTHER, KIND_UNREADABLE };

static uint32_t big_endian(const unsigned char p[4])
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

/*
 * Called before SQLite opens the file. Closing the descriptor would drop locks
 * on the file, had this process any in this file table.
 */
static enum kind kind_of(const struct cof_history_db_path *p)
{
	unsigned char head[HEADER_BYTES];
	int fd = openat(p->dir, strrchr(p->path, '/') + 1,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	ssize_t n = fd >= 0 ? pread(fd, head, sizeof(head), 0) : -1;

	if (fd >= 0)
		close(fd);
	if (n < 0)
		return KIND_UNREADABLE;
	if (n == 0)
		return KIND_EMPTY;
	if (n != (ssize_t)sizeof(head) ||
	    memcmp(head, "SQLite format 3", 16) != 0 ||
	    head[AT_FORMAT] != 1 || head[AT_FORMAT + 1] != 1)
		return KIND_OTHER;
	/* PRAGMA auto_vacuum leaves it so, before the tables are made. */
	if (big_endian(head + AT_COOKIE) == 0 &&
	    big_endian(head + AT_APPLICATION) == 0)
		return KIND_EMPTY;
	return big_endian(head + AT_APPLICATION) == COF_HISTORY_APPLICATION &&
	       big_endian(head + AT_VERSION) == COF_HISTORY_SCHEMA ?
	       KIND_OURS : KIND_OTHER;
}

/* -- Open, close ----------------------------------------------------------- */

/* Only a copy of SQLite of our own may be configured: the program may use a
 * shared one too. */
static void configure(void)
{
#ifdef HAVE_OWN_SQLITE
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 1);	/* for the limit */
	sqlite3_hard_heap_limit64(HEAP_BYTES);
#endif
}

static void harden(sqlite3 *db)
{
	static const int off[] = {
		SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
		SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_DQS_DDL,
		SQLITE_DBCONFIG_DQS_DML,
	};

	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++)
		sqlite3_db_config(db, off[i], 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

static bool open_file(struct cof_history_db *d)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int flags = SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX |
		    SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE |
		    (d->access == COF_HISTORY_LOOK ? SQLITE_OPEN_READONLY :
						     SQLITE_OPEN_READWRITE);
	int rc;

	pthread_once(&once, configure);
	rc = sqlite3_open_v2(d->file.path, &d->db, flags, NULL);
	if (rc != SQLITE_OK)
		return cof_history_sqlite_error(d, rc);
	harden(d->db);
	sqlite3_busy_handler(d->db, on_busy, d);
	sqlite3_progress_handler(d->db, STEPS, on_steps, d);
	cof_history_sqlite_run(d, "PRAGMA mmap_size=0;PRAGMA temp_store=MEMORY;"
			      "PRAGMA cell_size_check=1;PRAGMA synchronous=0");
	/* Repeated, it would be a transaction in each run. */
	if (d->access == COF_HISTORY_WRITE && !d->made)
		cof_history_sqlite_run(d, "PRAGMA auto_vacuum=2");
	return d->result == COF_HISTORY_OK;
}

static void sqlite_close(struct cof_history_store *store)
{
	struct cof_history_db *d = (struct cof_history_db *)store;

	cof_history_sqlite_shut(d);
	cof_history_db_path_close(&d->file);
	cof_mem_free(d);
}

static const struct cof_history_store_ops ops = {
	.load = cof_history_sqlite_load,
	.save = cof_history_sqlite_save,
	.find = cof_history_sqlite_find,
	.close = sqlite_close,
};

/*
 * Are the tables there? A process may have been killed while it made them. Then
 * opening the file has rolled it back to an empty one.
 */
static void look_for_tables(struct cof_history_db *d)
{
	if (cof_history_sqlite_number(d, "SELECT count(*) FROM sqlite_master",
				      0) == 0)
		d->made = false;
	else
		cof_history_schema_check(d);
	if (!d->made && d->access != COF_HISTORY_WRITE)
		cof_history_sqlite_fail(d, COF_HISTORY_NOTHING, "");
}

/* Opens the first of the two paths that will do. */
static enum cof_history_result pick_file(struct cof_history_db *d,
					 const char *path)
{
	bool make = d->access == COF_HISTORY_WRITE;
	char second[COF_HISTORY_PATH + 2];
	enum cof_history_result r;

	for (int i = 0; i < 2; i++) {
		snprintf(second, sizeof(second), "%s.2", path);
		r = cof_history_db_path_open(&d->file, i ? second : path, make,
					     d->why);
		if (r == COF_HISTORY_NOTHING)
			cof_history_db_path_close(&d->file);
		if (r != COF_HISTORY_OK)
			return r;
		switch (kind_of(&d->file)) {
		case KIND_OURS:
			d->made = true;
			return COF_HISTORY_OK;
		case KIND_EMPTY:
			if (make)
				return COF_HISTORY_OK;
			cof_history_db_path_close(&d->file);
			return COF_HISTORY_NOTHING;
		case KIND_UNREADABLE:
			cof_history_db_path_close(&d->file);
			snprintf(d->why, COF_HISTORY_WHY,
				 "%.120s cannot be read", path);
			return COF_HISTORY_FAILED;
		case KIND_OTHER:
			cof_history_db_path_close(&d->file);
			break;
		}
	}
	snprintf(d->why, COF_HISTORY_WHY,
		 "%.120s is not a history, nor is %.20s.2", path,
		 strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	return COF_HISTORY_REFUSED;
}

enum cof_history_result
cof_history_sqlite_open(const char *path, enum cof_history_access access,
			uint64_t deadline_ns, struct cof_history_store **out,
			char why[COF_HISTORY_WHY])
{
	struct cof_history_db *d = cof_mem_alloc(sizeof(*d));
	enum cof_history_result r;

	*out = NULL;
	if (!d) {
		snprintf(why, COF_HISTORY_WHY, "no memory");
		return COF_HISTORY_FAILED;
	}
	d->store.ops = &ops;
	d->file.dir = -1;
	d->access = access;
	d->deadline_ns = deadline_ns;
	d->why = why;
	r = pick_file(d, path);
	if (r == COF_HISTORY_OK) {
		if (open_file(d) && d->made)
			look_for_tables(d);
		r = cof_history_sqlite_end(d);
	}
	if (r != COF_HISTORY_OK) {
		sqlite_close(&d->store);
		return r;
	}
	*out = &d->store;
	return COF_HISTORY_OK;
}
