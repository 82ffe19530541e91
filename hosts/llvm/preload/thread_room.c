/*
 * thread_room.c - see thread_room.h
 *
 * RLIMIT_NPROC counts the threads of all processes of a user (getrlimit(2)),
 * and the kernel tells nobody how many there are. So they are counted: a
 * folder /proc/PID/task has one link for each, and two more. Processes of
 * other namespaces are not seen.
 */
#include "preload/thread_room.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rawcall.h"

#define LEAST   64u	/* libcof has up to 8, each program most of the rest */
#define COUNTED 4096u	/* more than that are not counted, nor missed */

struct entry {		/* getdents64(2) */
	uint64_t       inode;
	int64_t        next;
	unsigned short bytes;
	unsigned char  type;
	char           name[];
};

static bool say(char *why, size_t why_bytes, const char *limit, uint64_t left)
{
	snprintf(why, why_bytes, "%s leaves room for %llu threads", limit,
		 (unsigned long long)left);
	return false;
}

/* -- RLIMIT_NPROC ---------------------------------------------------------- */

/* Of the process by that name in `proc`; 0: it is none, or another user's. */
static uint64_t threads_of(int proc, const char *name, uid_t user)
{
	char path[NAME_MAX + 8];
	struct stat st;

	if (*name < '0' || *name > '9')
		return 0;
	snprintf(path, sizeof(path), "%s/task", name);
	return fstatat(proc, path, &st, 0) == 0 && st.st_uid == user &&
	       st.st_nlink > 2 ? st.st_nlink - 2 : 0;
}

static uint64_t threads_of_user(uid_t user)
{
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char list[4096] __attribute__((aligned(8)));
	uint64_t all = 0;
	long n;

	if (proc < 0)
		return 0;
	while ((n = cof_raw(SYS_getdents64, proc, (long)list, sizeof(list),
			    0)) > 0)
		for (long at = 0; at < n;) {
			const struct entry *e = (const void *)(list + at);

			all += threads_of(proc, e->name, user);
			at += e->bytes;
		}
	close(proc);
	return all;
}

/* Root has no such limit. */
static bool user_has_room(char *why, size_t why_bytes)
{
	struct rlimit most;
	uint64_t all;

	if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &most) != 0 ||
	    most.rlim_cur > COUNTED)
		return true;
	all = threads_of_user(getuid());
	return all + LEAST <= most.rlim_cur ||
	       say(why, why_bytes, "RLIMIT_NPROC",
		   most.rlim_cur > all ? most.rlim_cur - all : 0);
}

/* -- Control groups -------------------------------------------------------- */

/* The text of a small file; "" if there is none. */
static void read_text(const char *path, char *text, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, text, bytes - 1) : 0;

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
}

/* False: there is none, as in the root group, or the word "max". */
static bool read_number(const char *group, const char *file, uint64_t *number)
{
	char path[PATH_MAX], text[32], *end;

	snprintf(path, sizeof(path), "%s/%s", group, file);
	read_text(path, text, sizeof(text));
	*number = strtoull(text, &end, 10);
	return end != text;
}

/* In `group`, a folder that is below `top`, and those above it. */
static bool groups_have_room(char *group, size_t top, char *why,
			     size_t why_bytes)
{
	for (;;) {
		uint64_t most, now;
		char *slash;

		if (read_number(group, "pids.max", &most) &&
		    read_number(group, "pids.current", &now) &&
		    now + LEAST > most)
			return say(why, why_bytes, "pids.max of its group",
				   most > now ? most - now : 0);
		slash = strrchr(group + top, '/');
		if (slash == NULL)
			return true;
		*slash = '\0';
	}
}

/* A line "0::PATH" (version 2) or "N:pids:PATH" (version 1) (cgroups(7)). */
static bool line_has_room(const char *line, char *why, size_t why_bytes)
{
	const char *top = "/sys/fs/cgroup", *path = strchr(line, ':');
	char group[512];

	if (path == NULL)
		return true;
	if (strncmp(path, ":pids:", 6) == 0)
		top = "/sys/fs/cgroup/pids";
	else if (strncmp(path, "::", 2) != 0)
		return true;
	path = strchr(path + 1, ':') + 1;
	if (snprintf(group, sizeof(group), "%s%s", top, path) >=
	    (int)sizeof(group))
		return true;
	return groups_have_room(group, strlen(top), why, why_bytes);
}

static bool group_has_room(char *why, size_t why_bytes)
{
	char text[2048], *line = text, *end;
	bool has = true;

	read_text("/proc/self/cgroup", text, sizeof(text));
	for (; has && (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		has = line_has_room(line, why, why_bytes);
	}
	return has;
}

bool thread_room_is_left(char *why, size_t why_bytes)
{
	return user_has_room(why, why_bytes) && group_has_room(why, why_bytes);
}
