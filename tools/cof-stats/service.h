/*
 * service.h - processes of one program that forked, as one group
 *
 * A service is a process that was started as a program, and all that forked
 * from it and have a loop of their own: workers of a server, a daemon. Its
 * first row is of that process, or, if that is gone, of the oldest one. Dead
 * processes are left out while others of the service live.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "reader.h"
#include "stats/stats_dir.h"

/* One process, or one instance of several in it. */
struct service_row {
	char     name[COF_STATS_DIR_NAME];	/* its file's: PID or PID.N */
	struct cof_stats_file_header head;
	enum cof_life life;
	const char *state;
	uint64_t    uptime_ns;
	bool        placed;		/* it stands in the order, or is left
					 * out */
};

struct service_rows {
	struct service_row *at;
	size_t              n, room;
};

/* Add a row; without memory it is left out. */
void service_rows_add(struct service_rows *rows, const char *path,
		      const struct reader *r);
void service_rows_free(struct service_rows *rows);

/*
 * Call fn for each row that is shown, service by service, in the order in which
 * their rows were added. `worker`: it is not its service's first row.
 */
typedef void service_fn(void *arg, const struct service_row *row, bool worker);
void service_rows_each(struct service_rows *rows, service_fn *fn, void *arg);
