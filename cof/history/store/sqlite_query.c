/*
 * sqlite_query.c - one SQLite statement; values are checked
 */
#include "history/store/sqlite.h"

#include <stdio.h>
#include <string.h>

bool cof_history_sqlite_fail(struct cof_history_db *d,
			     enum cof_history_result result, const char *text)
{
	if (d->result == COF_HISTORY_OK) {
		d->result = result;
		snprintf(d->why, COF_HISTORY_WHY, "%s", text);
	}
	return false;
}

static enum cof_history_result result_of(const struct cof_history_db *d,
					 int rc)
{
	switch (rc & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
	case SQLITE_PROTOCOL:
		return COF_HISTORY_BUSY;
	case SQLITE_INTERRUPT:	/* by on_steps() of sqlite.c */
		return d->ops == UINT64_MAX ? COF_HISTORY_DAMAGED :
					      COF_HISTORY_BUSY;
	case SQLITE_PERM:
	case SQLITE_READONLY:
	case SQLITE_AUTH:
		return COF_HISTORY_REFUSED;
	case SQLITE_NOMEM:
	case SQLITE_IOERR:
	case SQLITE_FULL:
	case SQLITE_CANTOPEN:
	case SQLITE_NOLFS:
		return COF_HISTORY_FAILED;
	default:
		return COF_HISTORY_DAMAGED;
	}
}

bool cof_history_sqlite_error(struct cof_history_db *d, int rc)
{
	char text[COF_HISTORY_WHY];

	snprintf(text, sizeof(text), "%.120s (%d)",
		 d->db ? sqlite3_errmsg(d->db) : sqlite3_errstr(rc), rc);
	return cof_history_sqlite_fail(d, result_of(d, rc), text);
}

bool cof_history_sqlite_run(struct cof_history_db *d, const char *sql)
{
	int rc;

	if (d->result != COF_HISTORY_OK)
		return false;
	rc = sqlite3_exec(d->db, sql, NULL, NULL, NULL);
	return rc == SQLITE_OK || cof_history_sqlite_error(d, rc);
}

int64_t cof_history_sqlite_number(struct cof_history_db *d, const char *sql,
				  int64_t none)
{
	struct cof_history_query q = cof_history_sqlite_query(d, sql);
	int64_t v = cof_history_sqlite_step(&q) ?
		    cof_history_sqlite_int(&q) : none;

	cof_history_sqlite_query_end(&q);
	return v;
}

struct cof_history_query cof_history_sqlite_query(struct cof_history_db *d,
						  const char *sql)
{
	struct cof_history_query q = { .db = d };
	int rc;

	if (d->result != COF_HISTORY_OK)
		return q;
	rc = sqlite3_prepare_v2(d->db, sql, -1, &q.stmt, NULL);
	if (rc != SQLITE_OK) {
		cof_history_sqlite_error(d, rc);
		q.stmt = NULL;
	}
	return q;
}

void cof_history_sqlite_query_end(struct cof_history_query *q)
{
	sqlite3_finalize(q->stmt);
	q->stmt = NULL;
}

static void bound(struct cof_history_query *q, int rc)
{
	if (rc != SQLITE_OK)
		cof_history_sqlite_error(q->db, rc);
}

void cof_history_sqlite_bind(struct cof_history_query *q, int64_t v)
{
	if (q->stmt)
		bound(q, sqlite3_bind_int64(q->stmt, ++q->at, v));
}

void cof_history_sqlite_bind_text(struct cof_history_query *q, const char *text)
{
	if (q->stmt)
		bound(q, sqlite3_bind_text(q->stmt, ++q->at, text, -1,
					   SQLITE_STATIC));
}

/* Binds no NULL, even where there are no bytes. */
void cof_history_sqlite_bind_blob(struct cof_history_query *q, const void *data,
				  size_t bytes)
{
	if (q->stmt)
		bound(q, sqlite3_bind_blob64(q->stmt, ++q->at,
					     data ? data : "", bytes,
					     SQLITE_STATIC));
}

bool cof_history_sqlite_step(struct cof_history_query *q)
{
	int rc;

	if (!q->stmt || q->db->result != COF_HISTORY_OK)
		return false;
	q->at = 0;
	rc = sqlite3_step(q->stmt);
	if (rc == SQLITE_ROW)
		return true;
	return rc == SQLITE_DONE ? false : cof_history_sqlite_error(q->db, rc);
}

void cof_history_sqlite_step_all(struct cof_history_query *q)
{
	while (cof_history_sqlite_step(q))
		;
	if (q->stmt)
		sqlite3_reset(q->stmt);
	q->at = 0;
}

static bool is(struct cof_history_query *q, int type)
{
	return sqlite3_column_type(q->stmt, q->at) == type ||
	       cof_history_sqlite_fail(q->db, COF_HISTORY_DAMAGED,
				       "a value of a wrong type");
}

int64_t cof_history_sqlite_int(struct cof_history_query *q)
{
	int64_t v = is(q, SQLITE_INTEGER) ?
		    sqlite3_column_int64(q->stmt, q->at) : 0;

	q->at++;
	return v;
}

uint32_t cof_history_sqlite_u32(struct cof_history_query *q)
{
	int64_t v = cof_history_sqlite_int(q);

	if (v >= 0 && v <= UINT32_MAX)
		return (uint32_t)v;
	cof_history_sqlite_fail(q->db, COF_HISTORY_DAMAGED,
				"a number out of range");
	return 0;
}

void cof_history_sqlite_column(struct cof_history_query *q, char *to,
			       size_t room)
{
	const unsigned char *text;
	size_t bytes;

	memset(to, 0, room);
	if (is(q, SQLITE_TEXT)) {
		text = sqlite3_column_text(q->stmt, q->at);
		bytes = (size_t)sqlite3_column_bytes(q->stmt, q->at);
		if (!text)
			cof_history_sqlite_error(q->db, SQLITE_NOMEM);
		else if (bytes >= room || strlen((const char *)text) != bytes)
			cof_history_sqlite_fail(q->db, COF_HISTORY_DAMAGED,
						"a text that is too long");
		else
			memcpy(to, text, bytes);
	}
	q->at++;
}

const void *cof_history_sqlite_blob(struct cof_history_query *q, size_t max,
				    size_t *bytes)
{
	const void *data = NULL;

	*bytes = 0;
	if (is(q, SQLITE_BLOB)) {
		data = sqlite3_column_blob(q->stmt, q->at);
		*bytes = (size_t)sqlite3_column_bytes(q->stmt, q->at);
		if (*bytes > max) {
			cof_history_sqlite_fail(q->db, COF_HISTORY_DAMAGED,
						"a value that is too long");
			*bytes = 0;
		}
	}
	q->at++;
	return *bytes > 0 ? data : NULL;
}

/* -- The end --------------------------------------------------------------- */

void cof_history_sqlite_shut(struct cof_history_db *d)
{
	sqlite3_close_v2(d->db);
	d->db = NULL;
}

enum cof_history_result cof_history_sqlite_end(struct cof_history_db *d)
{
	if (d->result == COF_HISTORY_OK)
		return COF_HISTORY_OK;
	if (d->db && !sqlite3_get_autocommit(d->db))
		sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
	if (d->result == COF_HISTORY_DAMAGED && d->access != COF_HISTORY_LOOK) {
		size_t used = strlen(d->why);

		cof_history_sqlite_shut(d);
		snprintf(d->why + used, COF_HISTORY_WHY - used, "%s",
			 cof_history_db_path_move_aside(&d->file) ?
			 "; moved aside" : "; left where it is");
	}
	return d->result;
}
