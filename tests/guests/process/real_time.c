/*
 * real_time.c - a program under real-time scheduling is alone in it
 *
 * guest-hot:
 */
#include <dirent.h>
#include <sched.h>

#include "guest.h"

/* How many threads of the process are scheduled so. */
static uint64_t real_time_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	uint64_t n = 0;
	struct dirent *e;

	while (tasks != NULL && (e = readdir(tasks)) != NULL)
		if (e->d_name[0] != '.')
			n += sched_getscheduler(atoi(e->d_name)) == SCHED_RR;
	if (tasks != NULL)
		closedir(tasks);
	return n;
}

static uint64_t round_(void)
{
	uint64_t x = MIX0;

	for (int i = 0; i < 100; i++)
		x = guest_work(x);
	return mix(x, real_time_threads());
}

int main(void)
{
	const struct sched_param lowest = { .sched_priority = 1 };

	puts(sched_setscheduler(0, SCHED_RR, &lowest) == 0 ? "may" : "may not");
	guest_run("threads", round_);
	return 0;
}
