/*
 * stats_dir.c - find, create and remove stats files
 */
#include "stats/stats_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "stats/pidstat.h"
#include "stats/stats_file.h"

#define MAX_INSTANCES 100u	/* files of one process */
#define FOREIGN_NS    (3600 * COF_S_NS)	/* of another namespace, stopped */
#define FILES_MAX     16u	/* beyond, those of dead processes go, since
				 * each start reads all files */

bool cof_stats_dir_place(unsigned i, uid_t uid, char dir[COF_STATS_DIR_MAX])
{
	const char *xdg;
	int n = -1;

	switch (i) {
	case 0:
		xdg = secure_getenv("XDG_RUNTIME_DIR");
		if (xdg != NULL && xdg[0] == '/')
			n = snprintf(dir, COF_STATS_DIR_MAX, "%s/cof", xdg);
		break;
	case 1:
		n = snprintf(dir, COF_STATS_DIR_MAX, "/dev/shm/cof-%lu",
			     (unsigned long)uid);
		break;
	case 2:
		n = snprintf(dir, COF_STATS_DIR_MAX, "/run/user/%lu/cof",
			     (unsigned long)uid);
		break;
	}
	return n > 0 && n < COF_STATS_DIR_MAX;
}

__attribute__((format(printf, 2, 3)))
static int refuse(char why[COF_STATS_DIR_WHY], const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, COF_STATS_DIR_WHY, format, ap);
	va_end(ap);
	return -1;
}

static int refuse_errno(char why[COF_STATS_DIR_WHY], const char *what, int err)
{
	char text[64];

	return refuse(why, "%.80s: %s", what,
		      strerror_r(err, text, sizeof(text)));
}

static bool in_memory(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 &&
	       ((unsigned long)fs.f_type == TMPFS_MAGIC ||
		(unsigned long)fs.f_type == RAMFS_MAGIC);
}

int cof_stats_dir_open(const char *dir, uid_t owner, bool make,
		       char why[COF_STATS_DIR_WHY])
{
	bool made = make && mkdir(dir, 0700) == 0;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return refuse_errno(why, dir, errno);
	if (fstat(fd, &st) != 0)
		refuse_errno(why, dir, errno);
	else if (st.st_uid != owner)
		refuse(why, "%.80s belongs to another user", dir);
	else if ((st.st_mode & 077) != 0)
		refuse(why, "%.80s is open to others (mode %03o)", dir,
		       (unsigned)st.st_mode & 0777);
	else if (make && !in_memory(fd))
		refuse(why, "%.80s is not on a memory file system", dir);
	else
		return fd;
	close(fd);
	if (made)
		rmdir(dir);
	return -1;
}

bool cof_stats_dir_is_name(const char *name, pid_t *pid)
{
	unsigned long v;
	char *end;

	if (*name < '1' || *name > '9')
		return false;
	errno = 0;
	v = strtoul(name, &end, 10);
	if (errno != 0 || v > INT32_MAX)
		return false;
	*pid = (pid_t)v;
	if (*end == '\0')
		return true;
	return *end == '.' && end[1] >= '1' && end[1] <= '9' &&
	       end[strspn(end, ".0123456789")] == '\0' &&
	       strlen(name) < COF_STATS_DIR_NAME &&
	       strchr(end + 1, '.') == NULL;
}

/* A file of the directory. */
struct found {
	struct cof_stats_file_header head;
	struct stat             st;
	bool                    complete;
};

/*
 * Read a file's header. False: it is no stats file of this user's, or of
 * another format; then it stays. If a file is empty where its magic would be,
 * its writer has not finished yet.
 */
static bool look(int dir_fd, const char *name, struct found *f)
{
	static const char none[sizeof(f->head.magic)];
	int fd = openat(dir_fd, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool ok;

	if (fd < 0)
		return false;
	ok = fstat(fd, &f->st) == 0 && S_ISREG(f->st.st_mode) &&
	     f->st.st_uid == geteuid() &&
	     pread(fd, &f->head, sizeof(f->head), 0) == sizeof(f->head);
	close(fd);
	if (!ok)
		return false;
	f->complete = memcmp(f->head.magic, COF_STATS_FILE_MAGIC,
			     sizeof(f->head.magic)) == 0;
	return f->complete ? f->head.format == COF_STATS_FILE_FORMAT
			   : memcmp(f->head.magic, none, sizeof(none)) == 0;
}

static enum cof_life life(const struct found *f)
{
	struct cof_pidstat_id id = {
		.pid = (pid_t)f->head.pid,
		.start_ticks = f->head.start_ticks,
		.pid_namespace = f->head.pid_namespace,
		.dev = f->st.st_dev, .ino = f->st.st_ino,
	};

	return cof_pidstat_life(&id);
}

/* The name has this process's pid. Is the file left over from a dead
 * process? */
static bool is_leftover(int dir_fd, const char *name)
{
	struct found f;

	return look(dir_fd, name, &f) && f.complete &&
	       f.head.pid == (uint32_t)getpid() && life(&f) == COF_LIFE_DEAD;
}

static int create_name(int dir_fd, const char *name)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir_fd, name, flags, 0600);

	if (fd < 0 && errno == EEXIST) {
		if (!is_leftover(dir_fd, name) ||
		    unlinkat(dir_fd, name, 0) != 0) {
			errno = EEXIST;
			return -1;
		}
		fd = openat(dir_fd, name, flags, 0600);
	}
	return fd;
}

/* 0 or an errno. */
static int back_with_memory(int fd, size_t bytes)
{
	struct rlimit lim;
	int err;

	/* Past this limit the kernel refuses, and also sends SIGXFSZ. */
	if (getrlimit(RLIMIT_FSIZE, &lim) != 0 || lim.rlim_cur < bytes)
		return EFBIG;
	if (fchmod(fd, 0600) != 0)	/* whatever the umask was */
		return errno;
	do
		err = posix_fallocate(fd, 0, (off_t)bytes);
	while (err == EINTR);
	return err;
}

int cof_stats_dir_create(int dir_fd, size_t bytes,
			 char name[COF_STATS_DIR_NAME],
			 char why[COF_STATS_DIR_WHY])
{
	int fd = -1, err;

	for (unsigned i = 0; i < MAX_INSTANCES; i++) {
		snprintf(name, COF_STATS_DIR_NAME, i ? "%d.%u" : "%d",
			 (int)getpid(), i);
		fd = create_name(dir_fd, name);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		return refuse_errno(why, name, errno);
	err = back_with_memory(fd, bytes);
	if (err == 0)
		return fd;
	close(fd);
	unlinkat(dir_fd, name, 0);
	return refuse_errno(why, name, err);
}

static bool is_old(const struct found *f, uint64_t age_ns)
{
	uint64_t now = cof_clock_ns(), then = f->head.updated_ns;

	if (!f->complete) {
		now = cof_clock_read(CLOCK_REALTIME);
		then = (uint64_t)f->st.st_mtim.tv_sec * 1000000000u +
		       (uint64_t)f->st.st_mtim.tv_nsec;
	}
	return then <= now && now - then >= age_ns;
}

/* In another namespace of processes only the file itself knows, and somebody
 * there may still want to see it. */
static bool has_ended(const struct found *f)
{
	enum cof_life is = life(f);

	return is == COF_LIFE_DEAD ||
	       (is == COF_LIFE_UNKNOWN && f->head.stopped &&
		is_old(f, FOREIGN_NS));
}

/* Is the file to be removed if its process is dead? `files` stay so far. */
static bool is_done(const struct found *f, uint64_t age_ns, unsigned files)
{
	return is_old(f, age_ns) ||
	       (f->complete && (f->head.stopped || files >= FILES_MAX));
}

void cof_stats_dir_clean(int dir_fd, uint64_t age_ns)
{
	/* A descriptor of its own, since reading moves the position. */
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	unsigned files = 0;
	struct found f;
	pid_t pid;

	if (d == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((e = readdir(d)) != NULL) {
		if (!cof_stats_dir_is_name(e->d_name, &pid) ||
		    !look(dir_fd, e->d_name, &f))
			continue;
		if (is_done(&f, age_ns, files) &&
		    (!f.complete || has_ended(&f)))
			unlinkat(dir_fd, e->d_name, 0);
		else
			files++;
	}
	closedir(d);
}
