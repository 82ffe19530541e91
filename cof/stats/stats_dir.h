/*
 * stats_dir.h - where stats files lie, and whose they are
 *
 *	$XDG_RUNTIME_DIR/cof/PID	the user's own, if on a memory file system
 *	/dev/shm/cof-UID/PID		else
 *	.../PID.1, PID.2 ...		further instances of one process
 *
 * A directory is used only if it belongs to the user and nobody else may look
 * in: /dev/shm is everybody's, so another user may have been there first. Names
 * are opened relative to the directory once it was checked, never through a
 * symbolic link.
 *
 * Thread: any, but not a signal handler.
 */
#ifndef COF_STATS_STATS_DIR_H
#define COF_STATS_STATS_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COF_STATS_DIR_MAX  288	/* bytes of a directory's path, with its NUL */
#define COF_STATS_DIR_NAME 24	/* bytes of a file's name, with its NUL */
#define COF_STATS_DIR_WHY  160	/* bytes for a line that says what is wrong */

/*
 * Place number i, best first, where files of user `uid` may be. False: there is
 * no such place here. A writer uses the first that will do; a reader looks into
 * them all, since the other may have had another environment.
 */
#define COF_STATS_DIR_WRITE 2	/* places to write to */
#define COF_STATS_DIR_READ  3	/* places to look into */
bool cof_stats_dir_place(unsigned i, uid_t uid, char dir[COF_STATS_DIR_MAX]);

/*
 * Open directory `dir` after checking it; `make` creates it if it is not there
 * and wants a memory file system. Returns a file descriptor, or -1 with `why`.
 */
int cof_stats_dir_open(const char *dir, uid_t owner, bool make,
		      char why[COF_STATS_DIR_WHY]);

/*
 * Create the calling process's next file, `bytes` long, all of it backed by
 * memory, so that no later store finds the disk full. Returns a file descriptor
 * and the file's name, or -1 with `why` and nothing left behind.
 */
int cof_stats_dir_create(int dir_fd, size_t bytes, char name[COF_STATS_DIR_NAME],
			char why[COF_STATS_DIR_WHY]);

/* Is this the name of a stats file: PID or PID.N? Fills in *pid. */
bool cof_stats_dir_is_name(const char *name, pid_t *pid);

/*
 * Remove files of dead processes: at once if libcof was stopped in order before,
 * so that only its cof_free() was missing, else when they were not written to
 * for `age_ns`, or when there are more than a few.
 */
void cof_stats_dir_clean(int dir_fd, uint64_t age_ns);

#endif /* COF_STATS_STATS_DIR_H */
