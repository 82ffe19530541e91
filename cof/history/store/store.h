/*
 * store.h - the interface of a store of records
 *
 *	io_thread.c, cof-stats --why
 *	     | open, load, save, find, close
 *	store.c: chooses by where it is
 *	     +-- sqlite.c: a file of the user's
 *	     +-- (a server shared by many machines: another file here)
 *
 * A store that is damaged, locked, full or foreign is no error of the
 * program's. Every call may fail, in bounded time. The run is then as one of an
 * unknown program, or leaves no record.
 *
 * Thread: one at a time for each store; never a guest's.
 */
#pragma once

#include <stdint.h>

#include "history/store/record.h"

enum cof_history_result {
	COF_HISTORY_OK,
	COF_HISTORY_NOTHING,	/* no store yet, or nothing of this program */
	COF_HISTORY_REFUSED,	/* not ours to use; left alone */
	COF_HISTORY_BUSY,	/* others held it for too long */
	COF_HISTORY_DAMAGED,	/* not a history, or a broken one; moved aside
				 * if libcof may write there */
	COF_HISTORY_FAILED,	/* no space, no memory, I/O; nothing changed */
};

struct cof_history_limits {
	uint32_t runs;			/* of each program that carry something,
					 * and as many that do not */
	int64_t  short_ns;		/* cof_history_run_carries() */
	uint32_t programs;
	uint64_t bytes;			/* of the whole store */
	uint64_t request_ns;		/* real time that a request may take;
					 * 2 s in any case */
};

struct cof_history_store;

struct cof_history_store_ops {
	/* Load up to limits->runs of the program's runs, and its hot set. OK:
	 * *past is the caller's; else it is empty. */
	enum cof_history_result (*load)(struct cof_history_store *store,
					const struct cof_history_id *id,
					const struct cof_history_limits *limits,
					struct cof_history_past *past,
					char why[COF_HISTORY_WHY]);

	/* Add the run, or replace an earlier record of it, and trim to the
	 * limits: all of it or nothing. */
	enum cof_history_result (*save)(struct cof_history_store *store,
					const struct cof_history_record *record,
					const struct cof_history_limits *limits,
					char why[COF_HISTORY_WHY]);

	/* Find programs that ran under a name that ends like this path, at most
	 * `room` of them, the latest first. *n: how many. NOTHING: none. */
	enum cof_history_result (*find)(struct cof_history_store *store,
					const char *name,
					struct cof_history_id *id,
					uint32_t room, uint32_t *n,
					char why[COF_HISTORY_WHY]);

	void (*close)(struct cof_history_store *store);
};

struct cof_history_store {
	const struct cof_history_store_ops *ops;
};

enum cof_history_access {
	COF_HISTORY_LOOK,	/* change nothing at all */
	COF_HISTORY_READ,	/* read, and repair what a kill -9 left */
	COF_HISTORY_WRITE,	/* write too, and make it if it is missing */
};

/*
 * Open the store at `where`, a path. No call on it begins later than
 * deadline_ns (cof_clock_ns()), and none goes on much longer. OK: *out is the
 * caller's, to be closed by its ops->close().
 */
enum cof_history_result
cof_history_store_open(const char *where, enum cof_history_access access,
		       uint64_t deadline_ns, struct cof_history_store **out,
		       char why[COF_HISTORY_WHY]);

/* The same, in sqlite.c, or in sqlite_none.c in a build without SQLite. */
enum cof_history_result
cof_history_sqlite_open(const char *path, enum cof_history_access access,
			uint64_t deadline_ns, struct cof_history_store **out,
			char why[COF_HISTORY_WHY]);
