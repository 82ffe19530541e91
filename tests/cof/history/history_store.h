/*
 * history_store.h - a store for each test, and the past loaded from it last
 */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "history.h"

static struct cof_history_past past;

static inline int setup(void **state)
{
	(void)state;
	history_dir_make();
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	cof_history_past_free(&past);
	history_dir_remove();
	return 0;
}

static inline enum cof_history_result load(unsigned program)
{
	cof_history_past_free(&past);
	return history_load(history_path, program, &past);
}

static inline enum cof_history_result save(unsigned program, int64_t number,
					   uint32_t methods)
{
	return history_save(history_path,
			    history_record(program, number, methods),
			    &history_limits);
}

/* Run SQL on the file, behind the store's back. */
static inline void sql(const char *text)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static inline bool exists(const char *suffix)
{
	char path[200];

	snprintf(path, sizeof(path), "%s%s", history_path, suffix);
	return access(path, F_OK) == 0;
}
