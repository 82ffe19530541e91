/*
 * db_path.h - path of the history's file, and whether it can be trusted
 *
 *	option history=PATH        that file, from the current directory
 *	$XDG_DATA_HOME/cof/history.db
 *	$HOME/.local/share/cof/history.db
 *
 * The directory must belong to the user, and nobody else may write to it. The
 * same goes for the file, which is a plain one and not a link. A process with
 * more rights than its user has no history.
 *
 * A process that has the file open holds a shared lock on the directory. One
 * that moves a damaged file aside holds an exclusive lock. So the file is moved
 * only while no libcof uses it, and no journal in use goes with it.
 *
 * Thread: any with a file table of its own (io_thread.h), or a tool's.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "history/store/record.h"
#include "history/store/store.h"

#define COF_HISTORY_PATH 512u	/* bytes of a path, with its NUL */

/* The path that option history=`opt` stands for, as long as the process has the
 * root directory that it has now. False, with `why`: there is none. The caller
 * sees to "none". */
bool cof_history_db_path(const char *opt, char path[COF_HISTORY_PATH],
			 char why[COF_HISTORY_WHY]);

struct cof_history_db_path {
	char path[COF_HISTORY_PATH];	/* without links up to the file */
	int  dir;			/* file descriptor, locked; -1: none */
	bool there;			/* the file exists */
	unsigned long dev, ino;		/* of the file, if it is there */
};

/*
 * Check `path`. With `make`, missing directories and a missing file are
 * created. OK, NOTHING (no file, and not to be made) or REFUSED with `why`.
 * After OK and NOTHING the caller ends with cof_history_db_path_close().
 */
enum cof_history_result
cof_history_db_path_open(struct cof_history_db_path *p, const char *path,
			 bool make, char why[COF_HISTORY_WHY]);
void cof_history_db_path_close(struct cof_history_db_path *p);

/*
 * Rename the file to PATH.damaged, over an earlier one, and remove its journal.
 * Does so only if it is still the file that was opened, and nobody else has it
 * open. Closes *p in any case. True: the file was moved.
 */
bool cof_history_db_path_move_aside(struct cof_history_db_path *p);
