/*
 * store.c - open the store that is at `where`
 */
#include "history/store/store.h"

enum cof_history_result
cof_history_store_open(const char *where, enum cof_history_access access,
		       uint64_t deadline_ns, struct cof_history_store **out,
		       char why[COF_HISTORY_WHY])
{
	return cof_history_sqlite_open(where, access, deadline_ns, out, why);
}
