/*
 * sqlite.h - what the files of the SQLite store share
 *
 *	sqlite.c         open and close a file, tell ours from others'
 *	sqlite_schema.c  its tables: make them, recognize them
 *	sqlite_query.c   one statement: prepare, bind, step, read checked values
 *	sqlite_load.c    rows -> past
 *	sqlite_save.c    record -> rows, limits
 *
 * A load or a save is one transaction. The journal is a rollback journal
 * without fsync. After a kill -9 at any moment the file is as before or after
 * the transaction. After a loss of power it may be damaged; then a new one is
 * begun.
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "history/store/db_path.h"
#include "history/store/store.h"

struct cof_history_db {
	struct cof_history_store  store;	/* first: callers point to it */
	sqlite3                  *db;
	struct cof_history_db_path file;
	enum cof_history_access   access;
	uint64_t                  deadline_ns;
	uint64_t                  ops;		/* steps of SQLite's machine */
	bool                      made;		/* the tables are there */
	/* The first thing that went wrong; later ones follow from it. */
	enum cof_history_result   result;
	char                     *why;		/* COF_HISTORY_WHY; caller's */
};

/* -- sqlite_query.c -------------------------------------------------------- */

/* Record a failure, unless there was one before. Returns false. */
bool cof_history_sqlite_fail(struct cof_history_db *d,
			     enum cof_history_result result, const char *text);

/* Record a failure by SQLite's code and message. Returns false. */
bool cof_history_sqlite_error(struct cof_history_db *d, int rc);

/* Run SQL without results. True: done. Does nothing after a failure. */
bool cof_history_sqlite_run(struct cof_history_db *d, const char *sql);

/* The one number that the SQL yields; `none` if there is no row. */
int64_t cof_history_sqlite_number(struct cof_history_db *d, const char *sql,
				  int64_t none);

struct cof_history_query {
	struct cof_history_db *db;
	sqlite3_stmt          *stmt;	/* NULL: there was a failure before */
	int                    at;	/* next parameter or column, from 0 */
};

/* The caller ends it with cof_history_sqlite_query_end(), whatever fails
 * meanwhile. */
struct cof_history_query cof_history_sqlite_query(struct cof_history_db *d,
						  const char *sql);
void cof_history_sqlite_query_end(struct cof_history_query *q);

/* Bind the next parameter; texts and blobs must live until the step. */
void cof_history_sqlite_bind(struct cof_history_query *q, int64_t v);
void cof_history_sqlite_bind_text(struct cof_history_query *q,
				  const char *text);
void cof_history_sqlite_bind_blob(struct cof_history_query *q, const void *data,
				  size_t bytes);

/* True: there is a row. False: the end, or a failure. */
bool cof_history_sqlite_step(struct cof_history_query *q);

/* Step to the end, and reset the query to bind again. */
void cof_history_sqlite_step_all(struct cof_history_query *q);

/* The next column of the row. If its type is another one, or it is too long,
 * the result is DAMAGED, and the value 0 or empty. */
int64_t cof_history_sqlite_int(struct cof_history_query *q);
uint32_t cof_history_sqlite_u32(struct cof_history_query *q);
void cof_history_sqlite_column(struct cof_history_query *q, char *to,
			       size_t room);
/* Owner: SQLite, until the next step. */
const void *cof_history_sqlite_blob(struct cof_history_query *q, size_t max,
				    size_t *bytes);

/* Close the file. The store goes on without one. */
void cof_history_sqlite_shut(struct cof_history_db *d);

/*
 * End an operation on the store, and give what it is to return. A damaged file
 * is moved aside, unless access is COF_HISTORY_LOOK. The store is closed then,
 * but for ops->close().
 */
enum cof_history_result cof_history_sqlite_end(struct cof_history_db *d);

/* -- sqlite_schema.c ------------------------------------------------------- */

#define COF_HISTORY_APPLICATION 0x434f4648	/* "COFH" */
#define COF_HISTORY_SCHEMA      2

/* Make the tables, in a transaction that has begun. */
bool cof_history_schema_make(struct cof_history_db *d);

/* Is everything in the file exactly as _make() made it? If not: DAMAGED. */
bool cof_history_schema_check(struct cof_history_db *d);

/* The columns of a run, in the order of sqlite_load.c and sqlite_save.c. */
#define COF_HISTORY_RUN_COLUMNS \
	"began,pid,libcof,cpu,mode,verdict,loop,ended,wall_ns,cpu_ns,own_ns," \
	"build_ns,paid_ns,period_ns,first_patch_ns,samples,counted," \
	"recompiled,builds,installed,generations,phases,promised_ns," \
	"measured_ns,untried_ns,once_ns,checked_ns,open"
#define COF_HISTORY_METHOD_COLUMNS \
	"name,shape,samples,plan,promised,measured,error,audit"
/* The same, over runs. The last column picks the row that the others are
 * from. */
#define COF_HISTORY_METHOD_SUMS \
	"name,shape,sum(samples),plan,promised,measured,error,audit,max(run)"

/* -- sqlite_load.c, sqlite_save.c: the store's functions ------------------- */

enum cof_history_result
cof_history_sqlite_load(struct cof_history_store *store,
			const struct cof_history_id *id,
			const struct cof_history_limits *limits,
			struct cof_history_past *past,
			char why[COF_HISTORY_WHY]);
enum cof_history_result
cof_history_sqlite_find(struct cof_history_store *store, const char *name,
			struct cof_history_id *id, uint32_t room, uint32_t *n,
			char why[COF_HISTORY_WHY]);
enum cof_history_result
cof_history_sqlite_save(struct cof_history_store *store,
			const struct cof_history_record *record,
			const struct cof_history_limits *limits,
			char why[COF_HISTORY_WHY]);
