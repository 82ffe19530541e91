/*
 * sqlite_schema.c - the tables, made and recognized
 *
 * A file is ours only if its schema, as SQLite tells it, is word for word this
 * one: no other table, and no trigger or view, which could make libcof run what
 * somebody else wrote. A change here needs a new COF_HISTORY_SCHEMA.
 *
 * No table has UNIQUE: SQLite would make indexes of its own for it, without
 * text.
 */
#include "history/store/sqlite.h"

#include <stdio.h>
#include <string.h>

static const struct entry {
	const char *name, *sql;
} schema[] = {
	{ "method",
	  "CREATE TABLE method(run INTEGER,name TEXT,shape INTEGER,"
	  "samples INTEGER,plan INTEGER,promised INTEGER,measured INTEGER,"
	  "error INTEGER,audit INTEGER)" },
	{ "method_run", "CREATE INDEX method_run ON method(run)" },
	{ "phase",
	  "CREATE TABLE phase(run INTEGER,generation INTEGER,"
	  "similarity INTEGER,heaviest TEXT)" },
	{ "phase_run", "CREATE INDEX phase_run ON phase(run)" },
	{ "profile",
	  "CREATE TABLE profile(program INTEGER,name TEXT,shape INTEGER,"
	  "data BLOB)" },
	{ "profile_program",
	  "CREATE INDEX profile_program ON profile(program,name)" },
	{ "program",
	  "CREATE TABLE program(id INTEGER PRIMARY KEY,identity BLOB,name TEXT,"
	  "host TEXT,used INTEGER)" },
	{ "program_identity",
	  "CREATE UNIQUE INDEX program_identity ON program(identity)" },
	{ "program_used", "CREATE INDEX program_used ON program(used)" },
	{ "run",
	  "CREATE TABLE run(id INTEGER PRIMARY KEY,program INTEGER,"
	  "began INTEGER,pid INTEGER,libcof TEXT,cpu TEXT,mode INTEGER,"
	  "verdict INTEGER,loop INTEGER,ended INTEGER,wall_ns INTEGER,"
	  "cpu_ns INTEGER,own_ns INTEGER,build_ns INTEGER,paid_ns INTEGER,"
	  "period_ns INTEGER,first_patch_ns INTEGER,samples INTEGER,"
	  "counted INTEGER,recompiled INTEGER,builds INTEGER,"
	  "installed INTEGER,generations INTEGER,phases INTEGER,"
	  "promised_ns INTEGER,measured_ns INTEGER,untried_ns INTEGER,"
	  "once_ns INTEGER,checked_ns INTEGER,open INTEGER)" },
	{ "run_program", "CREATE INDEX run_program ON run(program)" },
};

#define N_SCHEMA (sizeof(schema) / sizeof(schema[0]))

bool cof_history_schema_make(struct cof_history_db *d)
{
	char pragma[96];

	/* Tables before their indexes. */
	for (int index = 0; index < 2; index++)
		for (size_t i = 0; i < N_SCHEMA; i++)
			if ((strstr(schema[i].sql, "TABLE") == NULL) == index)
				cof_history_sqlite_run(d, schema[i].sql);
	snprintf(pragma, sizeof(pragma),
		 "PRAGMA application_id=%d;PRAGMA user_version=%d",
		 COF_HISTORY_APPLICATION, COF_HISTORY_SCHEMA);
	return cof_history_sqlite_run(d, pragma);
}

bool cof_history_schema_check(struct cof_history_db *d)
{
	struct cof_history_query q = cof_history_sqlite_query(d,
		"SELECT name,sql FROM sqlite_master ORDER BY name");
	char name[64], sql[1024];
	size_t i = 0;

	while (cof_history_sqlite_step(&q)) {
		cof_history_sqlite_column(&q, name, sizeof(name));
		cof_history_sqlite_column(&q, sql, sizeof(sql));
		if (i == N_SCHEMA || strcmp(name, schema[i].name) != 0 ||
		    strcmp(sql, schema[i].sql) != 0) {
			cof_history_sqlite_fail(d, COF_HISTORY_DAMAGED,
						"it has other tables");
			break;
		}
		i++;
	}
	cof_history_sqlite_query_end(&q);
	if (d->result == COF_HISTORY_OK && i < N_SCHEMA)
		cof_history_sqlite_fail(d, COF_HISTORY_DAMAGED,
					"tables are missing");
	return d->result == COF_HISTORY_OK;
}
