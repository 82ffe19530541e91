/*
 * pidstat.c - read /proc/PID/stat and /proc/PID/maps; see proc(5)
 */
#include "stats/pidstat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define START_FIELD 22		/* starttime; the state is field 3 */

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

int cof_pidstat_parse(const char *text, size_t len, struct cof_pidstat *out)
{
	/* Field 2 is the command in parentheses, and may contain
	 * parentheses. */
	const char *s = memrchr(text, ')', len), *end = text + len;
	uint64_t ticks = 0;

	if (s == NULL || end - s < 3 || s[1] != ' ')
		return -1;
	out->state = s[2];
	s += 2;
	for (int field = 3; field < START_FIELD; field++) {
		s = memchr(s, ' ', (size_t)(end - s));
		if (s == NULL)
			return -1;
		s++;
	}
	if (s == end || *s < '0' || *s > '9')
		return -1;
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		ticks = ticks * 10 + (uint64_t)(*s - '0');
	out->start_ticks = ticks;
	return 0;
}

int cof_pidstat_read(pid_t pid, struct cof_pidstat *out)
{
	char buf[1024];
	int fd = open_proc(pid, "stat");
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read_some(fd, buf, sizeof(buf));
	close(fd);
	if (n < 0)
		return (int)n;
	return cof_pidstat_parse(buf, (size_t)n, out) == 0 ? 0 : -EINVAL;
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

int cof_pidstat_maps(pid_t pid, dev_t dev, ino_t ino)
{
	char buf[4096], line[128];
	size_t len = 0;		/* of the line so far; it may be cut after
				 * the inode */
	int fd = open_proc(pid, "maps"), found = 0;
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
	if (now.state == 'Z' || now.state == 'X' ||
	    (id->start_ticks != 0 && id->start_ticks != now.start_ticks) ||
	    cof_pidstat_maps(id->pid, id->dev, id->ino) == 0)
		return COF_LIFE_DEAD;
	return now.state == 'T' || now.state == 't' ? COF_LIFE_STOPPED
						    : COF_LIFE_RUNNING;
}
