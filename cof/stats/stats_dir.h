/*
 * stats_dir.h - the directories of stats files
 *
 *	$XDG_RUNTIME_DIR/cof/PID	if it is on a memory file system
 *	/dev/shm/cof-UID/PID		else
 *	.../PID.1, PID.2 ...		further instances of one process
 *
 * libcof uses a directory only if it belongs to the user and is open to no
 * other user: every user may write to /dev/shm, so another one may have been
 * there first. It opens names relative to the directory that it has checked,
 * and never through a symbolic link.
 *
 * Thread: any, but not a signal handler.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COF_STATS_DIR_MAX  288	/* bytes of a directory's path, with its NUL */
#define COF_STATS_DIR_NAME 24	/* bytes of a file's name, with its NUL */
#define COF_STATS_DIR_WHY  160	/* bytes of a line that says what is wrong */

/*
 * Place number i, best first, where files of user `uid` may be. False: there is
 * no such place here. A writer uses the first place that will do. A reader
 * looks into all of them, since the writer may have had another environment.
 */
#define COF_STATS_DIR_WRITE 2	/* places to write to */
#define COF_STATS_DIR_READ  3	/* places to look into */
bool cof_stats_dir_place(unsigned i, uid_t uid, char dir[COF_STATS_DIR_MAX]);

/*
 * Check and open directory `dir`. With `make` it is created if it is not there,
 * and must be on a memory file system. Returns a file descriptor, or -1 with
 * `why`.
 */
int cof_stats_dir_open(const char *dir, uid_t owner, bool make,
		       char why[COF_STATS_DIR_WHY]);

/*
 * Create the calling process's next file, `bytes` long. All of it is backed by
 * memory, so that no later store finds the disk full. Returns a file descriptor
 * and the file's name, or -1 with `why`; then it leaves nothing behind.
 */
int cof_stats_dir_create(int dir_fd, size_t bytes,
			 char name[COF_STATS_DIR_NAME],
			 char why[COF_STATS_DIR_WHY]);

/* Is this the name of a stats file: PID or PID.N? Fills in *pid. */
bool cof_stats_dir_is_name(const char *name, pid_t *pid);

/*
 * Remove files of dead processes: at once if the process had called cof_stop(),
 * so that only cof_free() was missing; else if nothing was written to them for
 * `age_ns`, or if there are more than a few files.
 */
void cof_stats_dir_clean(int dir_fd, uint64_t age_ns);
