/*
 * pidstat.c - read /proc/PID/stat and /proc/PID/maps; see proc(5)
 */
#include "stats/pidstat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define THREADS_FIELD 20	/* num_threads; the state is field 3 */
#define START_FIELD   22	/* starttime */

static int open_proc(pid_t pid, const char *name)
{
	char path[64];
	int fd;

	if (pid == 0)
		snprintf(path, sizeof(path), "/proc/self/%s", name);
	else
		snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 ? fd : -errno;
}

static ssize_t read_some(int fd, char *buf, size_t bytes)
{
	ssize_t n;

	do
		n = read(fd, buf, bytes);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static bool number(const char *s, const char *end, uint64_t *out)
{
	*out = 0;
	if (s == end || *s < '0' || *s > '9')
		return false;
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		*out = *out * 10 + (uint64_t)(*s - '0');
	return true;
}

int cof_pidstat_parse(const char *text, size_t len, struct cof_pidstat *out)
{
	/* Field 2 is the command in parentheses, and may contain
	 * parentheses. */
	const char *s = memrchr(text, ')', len), *end = text + len;

	if (s == NULL || end - s < 3 || s[1] != ' ')
		return -1;
	out->state = s[2];
	s += 2;
	for (int field = 3; field < START_FIELD; field++) {
		s = memchr(s, ' ', (size_t)(end - s));
		if (s == NULL)
			return -1;
		s++;
		if (field + 1 == THREADS_FIELD)
			number(s, end, &out->threads);
	}
	return number(s, end, &out->start_ticks) ? 0 : -1;
}

static int read_stat(pid_t pid, const char *name, struct cof_pidstat *out)
{
	char buf[1024];
	int fd = open_proc(pid, name);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read_some(fd, buf, sizeof(buf));
	close(fd);
	if (n < 0)
		return (int)n;
	return cof_pidstat_parse(buf, (size_t)n, out) == 0 ? 0 : -EINVAL;
}

int cof_pidstat_read(pid_t pid, struct cof_pidstat *out)
{
	return read_stat(pid, "stat", out);
}

/* "address perms offset major:minor inode path" */
static int line_is(const char *line, dev_t dev, ino_t ino)
{
	unsigned maj, min;
	unsigned long long inode;

	return sscanf(line, "%*s %*s %*s %x:%x %llu", &maj, &min,
		      &inode) == 3 &&
	       maj == major(dev) && min == minor(dev) && inode == ino;
}

static int maps(pid_t pid, const char *name, dev_t dev, ino_t ino)
{
	char buf[4096], line[128];
	size_t len = 0;		/* of the line so far; it may be cut after
				 * the inode */
	int fd = open_proc(pid, name), found = 0;
	ssize_t n = 0;

	if (fd < 0)
		return fd;
	while (!found && (n = read_some(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n && !found; i++) {
			if (buf[i] != '\n') {
				if (len < sizeof(line) - 1)
					line[len++] = buf[i];
				continue;
			}
			line[len] = '\0';
			len = 0;
			found = line_is(line, dev, ino);
		}
	}
	close(fd);
	return found ? 1 : n < 0 ? (int)n : 0;
}

int cof_pidstat_maps(pid_t pid, dev_t dev, ino_t ino)
{
	return maps(pid, "maps", dev, ino);
}

static bool is_gone(const struct cof_pidstat *s)
{
	return s->state == 'Z' || s->state == 'X';
}

/*
 * The first thread has ended, by pthread_exit(3), and the process goes on. The
 * kernel shows no mappings for that thread. Does another one map the file?
 */
static int maps_of_others(const struct cof_pidstat_id *id)
{
	_Alignas(struct dirent64) char buf[2048];
	int fd = open_proc(id->pid, "task"), found = 0;
	struct cof_pidstat s;
	char name[64];
	long n = 0;

	if (fd < 0)
		return fd;
	while (found <= 0 &&
	       (n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0) {
		for (long at = 0; at < n && found <= 0;) {
			const struct dirent64 *e = (const void *)(buf + at);

			at += e->d_reclen;
			snprintf(name, sizeof(name), "task/%.20s/stat",
				 e->d_name);
			if (e->d_name[0] == '.' ||
			    read_stat(id->pid, name, &s) != 0 || is_gone(&s))
				continue;
			snprintf(name, sizeof(name), "task/%.20s/maps",
				 e->d_name);
			found = maps(id->pid, name, id->dev, id->ino);
		}
	}
	close(fd);
	return found;
}

uint64_t cof_pidstat_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (uint64_t)st.st_ino : 0;
}

enum cof_life cof_pidstat_life(const struct cof_pidstat_id *id)
{
	uint64_t here = cof_pidstat_namespace();
	struct cof_pidstat now;
	int err;

	if (id->pid_namespace != 0 && here != 0 && id->pid_namespace != here)
		return COF_LIFE_UNKNOWN;
	if (id->pid <= 0 || (kill(id->pid, 0) != 0 && errno == ESRCH))
		return COF_LIFE_DEAD;
	err = cof_pidstat_read(id->pid, &now);
	if (err == -ESRCH)
		return COF_LIFE_DEAD;
	if (err != 0)		/* no /proc: kill() says all there is to know */
		return COF_LIFE_RUNNING;
	if (id->start_ticks != 0 && id->start_ticks != now.start_ticks)
		return COF_LIFE_DEAD;
	if (is_gone(&now))
		return now.threads > 1 && maps_of_others(id) != 0 ?
		       COF_LIFE_RUNNING : COF_LIFE_DEAD;
	if (cof_pidstat_maps(id->pid, id->dev, id->ino) == 0)
		return COF_LIFE_DEAD;
	return now.state == 'T' || now.state == 't' ? COF_LIFE_STOPPED
						    : COF_LIFE_RUNNING;
}
