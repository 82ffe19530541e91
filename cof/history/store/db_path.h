/*
 * db_path.h - where the history lies, and whether it can be trusted to
 *
 *	option history=PATH        that file, from the current directory
 *	$XDG_DATA_HOME/cof/history.db
 *	$HOME/.local/share/cof/history.db
 *
 * The directory must be the user's and nobody else's to write to; the file a
 * plain file, the user's, not written to by others, not reached through a link.
 * A process with more rights than its user has none.
 *
 * Who has the file open holds a shared lock on the directory; who moves a
 * damaged one aside, an exclusive one. So it is moved only while no libcof uses
 * it, and nobody's journal goes with it.
 *
 * Thread: any with a file table of its own (courier.h), or a tool's.
 */
#ifndef COF_HISTORY_STORE_DB_PATH_H
#define COF_HISTORY_STORE_DB_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "history/store/record.h"
#include "history/store/store.h"

#define COF_HISTORY_PATH 512u	/* bytes of a path, with its NUL */

/* The path that option history=`opt` stands for. False, with `why`: there is
 * none here. "none" is the caller's matter. */
bool cof_history_db_path(const char *opt, char path[COF_HISTORY_PATH],
		       char why[COF_HISTORY_WHY]);

struct cof_history_db_path {
	char path[COF_HISTORY_PATH];	/* without links up to the file */
	int  dir;			/* file descriptor, locked; -1: none */
	bool there;			/* the file exists */
	bool fresh;			/* we have just made it: empty */
	bool remote;			/* on a network file system */
	bool writable;			/* the directory, by us */
	unsigned long dev, ino;		/* of the file, if it is there */
};

/*
 * Check `path`; `make` creates directories and an empty file that are missing.
 * OK, NOTHING (no file, and not to be made) or REFUSED with `why`. On OK and
 * NOTHING the caller ends with cof_history_db_path_close().
 */
enum cof_history_result
cof_history_db_path_open(struct cof_history_db_path *place, const char *path,
		       bool make, char why[COF_HISTORY_WHY]);
void cof_history_db_path_close(struct cof_history_db_path *place);

/*
 * Rename the file to PATH.damaged, over one that is there, and remove its
 * journal. Only if it is still the file that was opened, and nobody else has it
 * open. The place is closed afterwards, moved or not. True: it is out of the
 * way.
 */
bool cof_history_db_path_move_aside(struct cof_history_db_path *place);

#endif /* COF_HISTORY_STORE_DB_PATH_H */
