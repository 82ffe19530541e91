/*
 * ownpath.c - the program finds itself, and starts itself again
 *
 * guest-hot:
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static const char *self;

static const char *is_own(const char *path)
{
	struct stat a, b;

	return stat(path, &a) == 0 && stat(self, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino ? "own" : path;
}

static void look(void)
{
	char link[PATH_MAX] = "", by_pid[64], few[5] = "....", *path;
	ssize_t n = readlink("/proc/self/exe", link, sizeof(link) - 1);

	printf("readlink %s %d\n", is_own(link), n == (ssize_t)strlen(link));
	snprintf(by_pid, sizeof(by_pid), "/proc/%d/exe", (int)getpid());
	memset(link, 0, sizeof(link));
	n = readlinkat(AT_FDCWD, by_pid, link, sizeof(link) - 1);
	printf("readlinkat %s\n", is_own(link));
	printf("no room %d %s\n", (int)readlink("/proc/self/exe", few, 2),
	       few + 1);
	printf("nothing %d\n", (int)readlink("/proc/self/exe", few, 0));
	path = realpath("/proc/self/exe", NULL);
	printf("realpath %s\n", is_own(path));
	free(path);
	printf("execfn %s\n", is_own((const char *)getauxval(AT_EXECFN)));
	printf("others %d %d\n",
	       (int)readlink("/proc/self/root", link, PATH_MAX),
	       (int)readlink("/no/such", link, PATH_MAX));
}

static void again(int how)
{
	char *argv[] = { "again", "child", NULL };
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (how == 0)
			execl("/proc/self/exe", "again", "child", (char *)NULL);
		if (how == 1)
			execv("/proc/self/exe", argv);
		execle("/proc/thread-self/exe", "again", "child", (char *)NULL,
		       environ);
		_exit(1);
	}
	waitpid(pid, &status, 0);
	printf("ended %d\n", WEXITSTATUS(status));
}

static void spawn(__typeof__(posix_spawn) *by)
{
	char *argv[] = { "spawned", "child", NULL };
	int status = 0;
	pid_t pid;

	fflush(stdout);
	if (by(&pid, "/proc/self/exe", NULL, NULL, argv, environ) == 0)
		waitpid(pid, &status, 0);
	printf("ended %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1) {
		printf("%d %s\n", argc, argv[1]);
		return 5;
	}
	guest_run("ownpath", guest_work_round);
	look();
	again(0);
	again(1);
	again(2);
	spawn(posix_spawn);
	spawn(posix_spawnp);
	return 0;
}
