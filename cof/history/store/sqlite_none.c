/*
 * sqlite_none.c - in place of sqlite.c in a build without SQLite
 */
#include "history/store/store.h"

#include <stdio.h>

enum cof_history_result
cof_history_sqlite_open(const char *path, enum cof_history_access access,
			uint64_t deadline_ns, struct cof_history_store **out,
			char why[COF_HISTORY_WHY])
{
	(void)path, (void)access, (void)deadline_ns;
	*out = NULL;
	snprintf(why, COF_HISTORY_WHY, "libcof was built without SQLite");
	return COF_HISTORY_REFUSED;
}
