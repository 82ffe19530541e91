/*
 * db_path.c - find, check, create and move the history's file
 */
#include "history/store/db_path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/make_dirs.h"
#include "base/root_dir.h"

__attribute__((format(printf, 2, 3)))
static enum cof_history_result refuse(char why[COF_HISTORY_WHY],
				      const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, COF_HISTORY_WHY, format, ap);
	va_end(ap);
	return COF_HISTORY_REFUSED;
}

static enum cof_history_result refuse_errno(char why[COF_HISTORY_WHY],
					    const char *what, int err)
{
	char text[64];

	return refuse(why, "%.120s: %s", what,
		      strerror_r(err, text, sizeof(text)));
}

static bool join(char path[COF_HISTORY_PATH], const char *dir,
		 const char *rest)
{
	int n = snprintf(path, COF_HISTORY_PATH, "%s%s", dir, rest);

	return n > 0 && (unsigned)n < COF_HISTORY_PATH;
}

bool cof_history_db_path(const char *opt, char path[COF_HISTORY_PATH],
			 char why[COF_HISTORY_WHY])
{
	const char *xdg = secure_getenv("XDG_DATA_HOME");
	const char *home = secure_getenv("HOME");
	char cwd[COF_HISTORY_PATH];

	cof_root_dir_note();
	if (opt[0] == '/') {
		if (join(path, "", opt))
			return true;
	} else if (opt[0] != '\0') {
		/* The program may go to another directory before its end. */
		if (getcwd(cwd, sizeof(cwd)) && cwd[0] == '/' &&
		    join(path, cwd, "/") &&
		    strlen(path) + strlen(opt) < COF_HISTORY_PATH) {
			strcat(path, opt);
			return true;
		}
	} else if (xdg != NULL && xdg[0] == '/') {
		if (join(path, xdg, "/cof/history.db"))
			return true;
	} else if (home != NULL && home[0] == '/') {
		if (join(path, home, "/.local/share/cof/history.db"))
			return true;
	} else {
		refuse(why, "neither XDG_DATA_HOME nor HOME is set");
		return false;
	}
	refuse(why, "its path is too long, or the current directory unknown");
	return false;
}

static enum cof_history_result check_dir(struct cof_history_db_path *p,
					 const char *dir,
					 char why[COF_HISTORY_WHY])
{
	struct stat st;

	if (fstat(p->dir, &st) != 0)
		return refuse_errno(why, dir, errno);
	if (st.st_uid != geteuid())
		return refuse(why, "%.120s belongs to another user", dir);
	if ((st.st_mode & 022) != 0)
		return refuse(why, "others may write to %.120s", dir);
	/* A network file system may refuse; then the file is not moved
	 * aside. */
	(void)flock(p->dir, LOCK_SH | LOCK_NB);
	return COF_HISTORY_OK;
}

static enum cof_history_result check_file(struct cof_history_db_path *p,
					  const char *name, bool make,
					  char why[COF_HISTORY_WHY])
{
	struct stat st;
	int fd;

	if (fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		if (errno != ENOENT)
			return refuse_errno(why, p->path, errno);
		if (!make)
			return COF_HISTORY_NOTHING;
		fd = openat(p->dir, name, O_RDWR | O_CREAT | O_EXCL |
			    O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			return refuse_errno(why, p->path, errno);
		if (fd >= 0)
			close(fd);
		if (fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			return refuse_errno(why, p->path, errno);
	}
	if (!S_ISREG(st.st_mode))
		return refuse(why, "%.120s is not a plain file", p->path);
	if (st.st_uid != geteuid())
		return refuse(why, "%.120s belongs to another user", p->path);
	if ((st.st_mode & 022) != 0)
		return refuse(why, "others may write to %.120s", p->path);
	p->there = true;
	p->dev = st.st_dev;
	p->ino = st.st_ino;
	return COF_HISTORY_OK;
}

/* SQLite opens these beside the file, without a limit in time: it would wait at
 * a FIFO. */
static enum cof_history_result check_beside(struct cof_history_db_path *p,
					    const char *name,
					    char why[COF_HISTORY_WHY])
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	char beside[NAME_MAX + 1];
	struct stat st;

	for (int i = 0; i < 3; i++) {
		if (snprintf(beside, sizeof(beside), "%s%s", name,
			     suffixes[i]) >= (int)sizeof(beside))
			return refuse(why, "its name is too long");
		if (fstatat(p->dir, beside, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    (!S_ISREG(st.st_mode) || st.st_uid != geteuid()))
			return refuse(why, "%.120s%s is not a plain file of "
				      "the user's", p->path, suffixes[i]);
	}
	return COF_HISTORY_OK;
}

enum cof_history_result
cof_history_db_path_open(struct cof_history_db_path *p, const char *path,
			 bool make, char why[COF_HISTORY_WHY])
{
	char dir[COF_HISTORY_PATH], real[PATH_MAX], *name;
	enum cof_history_result r;

	*p = (struct cof_history_db_path){ .dir = -1 };
	if (!cof_root_dir_is_same())
		return refuse(why, "the process has another root directory");
	if (snprintf(dir, sizeof(dir), path[0] == '/' ? "%s" : "./%s", path) >=
	    (int)sizeof(dir))
		return refuse(why, "its path is too long");
	name = strrchr(dir, '/');
	*name++ = '\0';
	if (*name == '\0')
		return refuse(why, "%.120s is a directory", path);
	if (make && dir[0] == '/')
		cof_make_dirs(dir);
	if (realpath(dir[0] ? dir : "/", real) == NULL)
		return !make && errno == ENOENT ? COF_HISTORY_NOTHING :
		       refuse_errno(why, dir, errno);
	if (!join(p->path, real, "/") ||
	    strlen(p->path) + strlen(name) >= sizeof(p->path))
		return refuse(why, "its path is too long");
	strcat(p->path, name);
	p->dir = open(real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->dir < 0)
		return refuse_errno(why, real, errno);
	r = check_dir(p, real, why);
	if (r == COF_HISTORY_OK)
		r = check_file(p, name, make, why);
	if (r == COF_HISTORY_OK)
		r = check_beside(p, name, why);
	if (r == COF_HISTORY_REFUSED)
		cof_history_db_path_close(p);
	return r;
}

void cof_history_db_path_close(struct cof_history_db_path *p)
{
	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
}

static bool same_file(const struct cof_history_db_path *p, const char *name)
{
	struct stat st;

	return fstatat(p->dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       st.st_dev == p->dev && st.st_ino == p->ino;
}

bool cof_history_db_path_move_aside(struct cof_history_db_path *p)
{
	const char *name = strrchr(p->path, '/') + 1;
	char to[NAME_MAX + 1];
	bool moved = false;

	/*
	 * flock(2) drops the shared lock before it takes the exclusive one, so
	 * the file is looked at again.
	 */
	if (p->dir >= 0 && p->there && flock(p->dir, LOCK_EX | LOCK_NB) == 0 &&
	    same_file(p, name)) {
		/* The journal goes first: the next file must not replay it. */
		snprintf(to, sizeof(to), "%.240s-journal", name);
		(void)unlinkat(p->dir, to, 0);
		snprintf(to, sizeof(to), "%.240s-wal", name);
		(void)unlinkat(p->dir, to, 0);
		snprintf(to, sizeof(to), "%.240s.damaged", name);
		moved = renameat(p->dir, name, p->dir, to) == 0;
	}
	cof_history_db_path_close(p);
	return moved;
}
