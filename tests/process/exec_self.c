/*
 * exec_self.c - the program executes its own file anew
 *
 * With WHERE in the environment, a file, it writes there whether that is under
 * runtime.
 *
 * args: name
 * args: link
 * args: path
 * args: spawn
 * args: vfork
 * args: relinked
 */
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(void)
{
	const char *where = getenv("WHERE");
	FILE *maps = fopen("/proc/self/maps", "r"), *to;
	char line[512];
	int is = 0;

	if (where == NULL)
		return;
	while (fgets(line, sizeof(line), maps) != NULL)
		is |= strstr(line, "/libcof-preload.so") != NULL;
	fclose(maps);
	to = fopen(where, "w");
	fputs(is ? "runtime\n" : "native\n", to);
	fclose(to);
}

static int wait_for(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	       WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
	char *again[] = { "again", "and again", argv[0], NULL };
	char path[PATH_MAX];
	pid_t pid;

	if (argc == 3) {
		printf("%s, %s %s\n", argv[0], argv[1],
		       realpath("/proc/self/exe", path) != NULL ?
			       strrchr(path, '/') : "");
		tell();
		return 5;
	}
	if (argc != 2)
		return 1;
	if (strcmp(argv[1], "name") == 0)
		execv(argv[0], again);
	if (strcmp(argv[1], "link") == 0)
		execl("/proc/self/exe", again[0], again[1], again[2],
		      (char *)NULL);
	if (strcmp(argv[1], "path") == 0 && realpath(argv[0], path) != NULL)
		execvp(path, again);
	/* The name is a link, which leads to a copy by then. */
	if (strcmp(argv[1], "relinked") == 0 &&
	    system("cp ./exec_self ./copy && ln -sf exec_self ./by_link") == 0)
		execl("./by_link", "by_link", "copy", (char *)NULL);
	if (strcmp(argv[1], "copy") == 0) {
		if (realpath("/proc/self/exe", path) != NULL)
			puts(strrchr(path, '/'));
		fflush(stdout);
		if (unlink("by_link") == 0 && symlink("copy", "by_link") == 0)
			execv("./by_link", again);
	}
	if (strcmp(argv[1], "spawn") == 0)
		return posix_spawn(&pid, argv[0], NULL, NULL, again,
				   environ) == 0 ? wait_for(pid) : 2;
	if (strcmp(argv[1], "vfork") == 0) {
		pid = vfork();
		if (pid == 0) {
			execve(argv[0], again, environ);
			_exit(3);
		}
		return wait_for(pid);
	}
	return 4;
}
