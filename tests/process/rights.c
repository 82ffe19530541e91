/*
 * rights.c - threads that the program does not know of change their rights with
 * it
 *
 * args: setuid
 * args: setresgid
 * args: initgroups
 * args: seteuid
 * args: at_once
 * fake: [en][xo]
 */
#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../preload/joined.h"

/* The lines of a thread's rights, in `to`. */
static void rights_of(const char *thread, char to[600])
{
	char path[300], line[300];
	FILE *f;

	*to = '\0';
	snprintf(path, sizeof(path), "/proc/self/task/%s/status", thread);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "Uid:", 4) == 0 ||
		    strncmp(line, "Gid:", 4) == 0 ||
		    strncmp(line, "Groups:", 7) == 0)
			strncat(to, line, 190);
	if (f != NULL)
		fclose(f);
}

static void compare(void)
{
	char self[30], mine[600], other[600];
	struct dirent *d;
	DIR *tasks = opendir("/proc/self/task");

	snprintf(self, sizeof(self), "%d", getpid());
	rights_of(self, mine);
	while ((d = readdir(tasks)) != NULL) {
		rights_of(d->d_name, other);
		if (*d->d_name != '.' && *other != '\0' &&
		    strcmp(mine, other) != 0)
			printf("another thread has\n%s", other);
	}
	printf("%s", mine);
	closedir(tasks);
}

/* While libcof may be about to begin. */
static int changes_meanwhile(void)
{
	int result = 0;

	for (int i = 0; i < 300; i++) {
		result |= seteuid(65534) | seteuid(0);
		for (volatile int k = 0; k < 100000; k++)
			;
	}
	result |= seteuid(65534);
	work_until_joined();
	return result;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int result = -1;

	if (strcmp(what, "at_once") != 0)
		work_until_joined();
	if (strcmp(what, "setuid") == 0)
		result = setuid(65534);
	else if (strcmp(what, "setresgid") == 0)
		result = setresgid(65534, 65534, 65534);
	else if (strcmp(what, "initgroups") == 0)
		result = initgroups("root", 65534);
	else if (strcmp(what, "seteuid") == 0)
		result = seteuid(65534) + seteuid(0) + seteuid(65534);
	else if (strcmp(what, "at_once") == 0)
		result = changes_meanwhile();
	printf("%s: %d\n", what, result);
	compare();
	use_cpu();
	return 0;
}
