/*
 * find.c - find the stats files of a process, or of all processes of a user
 */
#include "find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stats/stats_dir.h"

/* The files found in all places. */
struct finds {
	struct find {
		char  path[COF_STATS_DIR_MAX + 32];
		pid_t pid;
	}       *at;
	size_t   n, room;
};

static void finds_add(struct finds *f, const char *dir, const char *name,
		      pid_t pid)
{
	if (f->n == f->room) {
		size_t room = f->room ? 2 * f->room : 16;
		struct find *at = realloc(f->at, room * sizeof(*at));

		if (at == NULL)
			return;
		f->at = at;
		f->room = room;
	}
	snprintf(f->at[f->n].path, sizeof(f->at[f->n].path), "%s/%s", dir,
		 name);
	f->at[f->n++].pid = pid;
}

/* -- Places ---------------------------------------------------------------- */

static void look_in(struct finds *f, const char *dir, uid_t uid)
{
	char why[COF_STATS_DIR_WHY];
	int fd = cof_stats_dir_open(dir, uid, false, why);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	pid_t pid;

	if (d == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d)) != NULL)
		if (cof_stats_dir_is_name(e->d_name, &pid))
			finds_add(f, dir, e->d_name, pid);
	closedir(d);
}

/* Was the directory looked at under another name? */
static bool seen(const struct stat *st, const struct stat *was, unsigned n)
{
	while (n-- > 0)
		if (was[n].st_dev == st->st_dev && was[n].st_ino == st->st_ino)
			return true;
	return false;
}

static void look_everywhere(struct finds *f, uid_t uid)
{
	struct stat was[COF_STATS_DIR_READ];
	char dir[COF_STATS_DIR_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < COF_STATS_DIR_READ; i++) {
		if (!cof_stats_dir_place(i, uid, dir) ||
		    stat(dir, &was[n]) != 0 || seen(&was[n], was, n))
			continue;
		n++;
		look_in(f, dir, uid);
	}
}

/* By PID. Instances of one process are in order: "12" < "12.1" < "12.10". */
static int by_pid(const void *a, const void *b)
{
	const struct find *p = a, *q = b;
	size_t lp = strlen(p->path), lq = strlen(q->path);

	if (p->pid != q->pid)
		return p->pid < q->pid ? -1 : 1;
	if (lp != lq)
		return lp < lq ? -1 : 1;
	return strcmp(p->path, q->path);
}

static void look(struct finds *f, const char *dir, uid_t uid)
{
	if (dir != NULL)
		look_in(f, dir, uid);
	else
		look_everywhere(f, uid);
}

bool find_may_look(const char *dir, char why[READER_WHY])
{
	char no[COF_STATS_DIR_WHY];
	int fd = dir ? cof_stats_dir_open(dir, geteuid(), false, no) : -1;

	if (dir == NULL)
		return true;
	if (fd < 0)
		snprintf(why, READER_WHY, "%s", no);
	else
		close(fd);
	return fd >= 0;
}

static void sort(struct finds *f)
{
	if (f->n > 1)
		qsort(f->at, f->n, sizeof(f->at[0]), by_pid);
}

/* -- One process ----------------------------------------------------------- */

static int open_path(const char *path, int flags)
{
	/* O_NONBLOCK: opening a FIFO must not wait. It is refused later. */
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
}

/* Is the file one of a live process? *updated_ns: when it was written to
 * last. */
static bool is_live(int fd, uint64_t *updated_ns)
{
	char why[READER_WHY];
	struct reader r;
	bool live;

	*updated_ns = 0;
	if (reader_read(&r, fd, why) != 0)
		return false;
	live = r.life != COF_LIFE_DEAD;
	*updated_ns = r.head.updated_ns;
	reader_free(&r);
	return live;
}

/* Does the file's name match "PID" or "PID.N"? */
static bool matches(const struct find *f, pid_t pid, const char *arg)
{
	return f->pid == pid && (strchr(arg, '.') == NULL ||
				 strcmp(strrchr(f->path, '/') + 1, arg) == 0);
}

/* The file of the process, if it lives; else of the last process with its
 * number. */
static int best(const struct finds *f, pid_t pid, const char *arg)
{
	uint64_t at, newest = 0;
	int fd, dead = -1;

	for (size_t i = 0; i < f->n; i++) {
		if (!matches(&f->at[i], pid, arg))
			continue;
		fd = open_path(f->at[i].path, O_NOFOLLOW);
		if (fd < 0)
			continue;
		if (is_live(fd, &at)) {
			if (dead >= 0)
				close(dead);
			return fd;
		}
		if (dead < 0 || at > newest) {
			if (dead >= 0)
				close(dead);
			dead = fd;
			newest = at;
		} else {
			close(fd);
		}
	}
	return dead;
}

/* The owner of the process, so that root finds the files of other users. */
static uid_t owner_of(pid_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return stat(path, &st) == 0 ? st.st_uid : geteuid();
}

int find_open(const char *arg, const char *dir, char why[READER_WHY])
{
	struct finds f = { .n = 0 };
	pid_t pid;
	int fd;

	if (strchr(arg, '/') != NULL) {
		fd = open_path(arg, 0);
		if (fd < 0)
			snprintf(why, READER_WHY, "%s", strerror(errno));
		return fd;
	}
	if (!cof_stats_dir_is_name(arg, &pid))
		return -2;
	look(&f, dir, geteuid());
	if (owner_of(pid) != geteuid())
		look(&f, dir, owner_of(pid));
	sort(&f);
	fd = best(&f, pid, arg);
	free(f.at);
	if (fd < 0 && kill(pid, 0) != 0 && errno == ESRCH)
		snprintf(why, READER_WHY, "no such process, and it left no "
			 "stats file");
	else if (fd < 0)
		snprintf(why, READER_WHY, "no stats file: the process does not "
			 "use libcof, or has the option stats=none");
	return fd;
}

/* -- All ------------------------------------------------------------------- */

unsigned find_each(const char *dir, find_fn *fn, void *arg)
{
	struct finds f = { .n = 0 };
	char why[READER_WHY];
	struct reader r;
	unsigned bad = 0;

	look(&f, dir, geteuid());
	sort(&f);
	for (size_t i = 0; i < f.n; i++) {
		int fd = open_path(f.at[i].path, O_NOFOLLOW);

		if (fd < 0) {
			bad += errno != ENOENT;	/* it ended meanwhile */
			continue;
		}
		if (reader_read(&r, fd, why) == 0) {
			fn(arg, f.at[i].path, &r);
			reader_free(&r);
		} else {
			bad++;
		}
		close(fd);
	}
	free(f.at);
	return bad;
}
