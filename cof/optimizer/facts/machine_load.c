/*
 * machine_load.c - idle cores, from /proc/stat and the control group
 */
#include "optimizer/facts/machine_load.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "cof.h"
#include "instance.h"
#include "options/tuning.h"

static double weight_of(double free_cores)
{
	free_cores = free_cores < 0 ? 0 : free_cores > 1 ? 1 : free_cores;
	return 1 - (1 - COF_TUNE(load_floor)) * free_cores;
}

double cof_machine_load_weight(const struct cof_machine_load_sample *then,
			       const struct cof_machine_load_sample *now)
{
	double wall = (double)(now->wall_ns - then->wall_ns);
	double idle, builds, free_cores;

	if (wall <= 0)
		return 1;
	/* The kernel's counts of idle time may decrease (proc(5)), and with
	 * them their sum when cores go. */
	idle = now->idle_ns > then->idle_ns ?
	       (double)(now->idle_ns - then->idle_ns) / wall : 0;
	builds = (double)(now->build_ns - then->build_ns) / wall;
	if (now->quota > 0) {
		double left = now->quota -
			      (double)(now->used_ns - then->used_ns) / wall;

		if (left < idle)
			idle = left > 0 ? left : 0;
	}
	free_cores = idle + builds;
	return weight_of(free_cores);
}

double cof_machine_load_weight_now(unsigned running, unsigned cores,
				   double quota)
{
	double left = (double)cores - (double)running;

	if (quota > 0 && quota - 1 < left)	/* the program runs on one */
		left = quota - 1;
	return weight_of(left);
}

/* At most n - 1 bytes of a small file, as a string; empty on failure. */
static void slurp(const char *path, char *buf, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, buf, n - 1);

	if (fd >= 0)
		close(fd);
	buf[got > 0 ? got : 0] = '\0';
}

/*
 * /proc/stat, proc(5): a line "cpuN user nice system idle iowait ..." for each
 * core, in clock ticks.
 */
static uint64_t idle_ns(void)
{
	char buf[16384], *line = buf;
	uint64_t ticks = 0;
	long hz = sysconf(_SC_CLK_TCK);
	cpu_set_t allowed_cpus;

	if (hz <= 0 ||
	    sched_getaffinity(0, sizeof(allowed_cpus), &allowed_cpus) != 0)
		return 0;
	slurp("/proc/stat", buf, sizeof(buf));
	while ((line = strstr(line, "\ncpu")) != NULL) {
		unsigned cpu;
		unsigned long long idle, iowait;

		line++;
		if (sscanf(line, "cpu%u %*u %*u %*u %llu %llu", &cpu, &idle,
			   &iowait) == 3 &&
		    cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed_cpus))
			ticks += idle + iowait;
	}
	return ticks * (1000000000u / (uint64_t)hz);
}

/* cgroup v2, cpu.max: "max PERIOD" or "QUOTA PERIOD", both in microseconds. */
static double quota(void)
{
	char own[512], path[600], buf[64];
	unsigned long long allowed, period;
	char *end;

	slurp("/proc/self/cgroup", own, sizeof(own));
	if (strncmp(own, "0::", 3) != 0)
		return 0;
	end = strchr(own, '\n');
	if (end != NULL)
		*end = '\0';
	snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", own + 3);
	slurp(path, buf, sizeof(buf));
	if (sscanf(buf, "%llu %llu", &allowed, &period) != 2 || period == 0)
		return 0;
	return (double)allowed / (double)period;
}

void cof_machine_load_read(struct cof_machine_load_sample *out,
			   uint64_t build_ns)
{
	*out = (struct cof_machine_load_sample){
		.wall_ns = cof_clock_ns(),
		.idle_ns = idle_ns(),
		.used_ns = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID),
		.build_ns = build_ns,
		.quota = quota(),
	};
}

/*
 * proc(5), /proc/loadavg: the fourth field is runnable threads / all threads.
 * This thread is one of the runnable ones. If the file cannot be read, no core
 * counts as free.
 */
static double weight_now(double quota)
{
	unsigned running = UINT_MAX;
	cpu_set_t allowed_cpus;
	char buf[128];

	slurp("/proc/loadavg", buf, sizeof(buf));
	if (sscanf(buf, "%*s %*s %*s %u/", &running) != 1 || running == 0 ||
	    sched_getaffinity(0, sizeof(allowed_cpus), &allowed_cpus) != 0)
		return 1;
	return cof_machine_load_weight_now(running - 1,
					   (unsigned)CPU_COUNT(&allowed_cpus),
					   quota);
}

struct update {
	struct cof_machine_load *load;
	uint64_t                 build_ns;
};

static void update_in_private_files(void *arg)
{
	const struct update *update = arg;
	struct cof_machine_load *load = update->load;
	struct cof_machine_load_sample now;

	cof_machine_load_read(&now, update->build_ns);
	load->weight = load->last.wall_ns == 0 ?
			weight_now(now.quota) :
			cof_machine_load_weight(&load->last, &now);
	load->last = now;
}

void cof_machine_load_update(struct cof *cof, struct cof_machine_load *load,
			     uint64_t build_ns)
{
	struct update update = { load, build_ns };

	/* A stepped instance must not depend on the rest of the machine. */
	if (cof->stepped)
		return;
	if (load->last.wall_ns == 0 ||
	    cof_clock_ns() - load->last.wall_ns >=
		    COF_TUNE(load_look_ms) * COF_MS_NS)
		cof_call_with_private_files(cof, update_in_private_files,
					    &update);
}
