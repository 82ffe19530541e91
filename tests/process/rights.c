/*
 * rights.c - threads that the program does not know of change their rights with
 * it
 *
 * args: setuid
 * args: ignored setuid
 * args: setresgid
 * args: initgroups
 * args: seteuid
 * args: at_once
 * args: capset
 * args: ignored capset
 * args: capset_by_number
 * args: no_new_privs
 * args: no_new_privs_by_number
 * args: bounding
 * args: ambient
 * fake: [en][xo]
 */
#include <dirent.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../preload/ignored.h"
#include "../preload/joined.h"

int capset(struct __user_cap_header_struct *, struct __user_cap_data_struct *);

/* The lines of a thread's rights, in `to`. */
static void rights_of(const char *thread, char to[1200])
{
	char path[300], line[300];
	FILE *f;

	*to = '\0';
	snprintf(path, sizeof(path), "/proc/self/task/%s/status", thread);
	f = fopen(path, "r");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "Uid:", 4) == 0 ||
		    strncmp(line, "Gid:", 4) == 0 ||
		    strncmp(line, "Groups:", 7) == 0 ||
		    strncmp(line, "NoNewPrivs:", 11) == 0 ||
		    strncmp(line, "Cap", 3) == 0)
			strncat(to, line, 190);
	if (f != NULL)
		fclose(f);
}

static void compare(void)
{
	char self[30], mine[1200], other[1200];
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

/* All but three of those that it has. */
static int give_up(int by_number)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &h, d) != 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		d[i].permitted &= i == 0 ? 7 : 0;
		d[i].effective = d[i].permitted & 3;
		d[i].inheritable &= d[i].permitted;
	}
	return by_number ? (int)syscall(SYS_capset, &h, d) : capset(&h, d);
}

/* One is raised by what it is inherited with, and all are lowered. */
static int change_ambient(void)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &h, d) != 0)
		return -1;
	d[0].inheritable |= d[0].permitted & 1;
	return capset(&h, d) |
	       prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
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

	begin_ignored(argc, argv);
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
	else if (strncmp(what, "capset", 6) == 0)
		result = give_up(strcmp(what, "capset") != 0);
	else if (strcmp(what, "no_new_privs") == 0)
		result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	else if (strcmp(what, "no_new_privs_by_number") == 0)
		result = (int)syscall(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0,
				      0);
	else if (strcmp(what, "bounding") == 0)
		result = prctl(PR_CAPBSET_DROP, CAP_SYS_MODULE);
	else if (strcmp(what, "ambient") == 0)
		result = change_ambient();
	printf("%s: %d\n", what, result);
	compare();
	use_cpu();
	return 0;
}
