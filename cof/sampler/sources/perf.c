/*
 * perf.c - sources: a perf event per thread, read from its ring by SAM
 *
 * The kernel raises no signal: it writes each interrupted pc to a ring that it
 * shares with the process. "perf" counts a hardware event. "perf-clock" counts
 * the software task-clock, for machines without a PMU; it must be asked for.
 *
 * The period is a fixed count of events. The source declines a thread if its
 * ring exceeds the locked memory (RLIMIT_MEMLOCK and perf_event_mlock_kb).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fork_code.h"
#include "cof.h"
#include "instance.h"
#include "memory/mem.h"
#include "sampler/sources/event.h"
#include "sampler/sources/perfring.h"
#include "sampler/sources/source.h"
#include "threads/threads.h"

#define HIGH_FD    500
#define EVENT_LINK "anon_inode:[perf_event]"

struct perf {
	struct cof_event event;
	uint64_t         page_bytes;
	uint64_t         ring_bytes;	/* without the control page */
	uint32_t         depth;		/* return addresses wanted */
};

static int event_open(const struct perf *p, int tid, uint64_t period_ns)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = p->event.type,
		.config = p->event.config,
		.config1 = p->event.config1,
		.config2 = p->event.config2,
		.sample_period = cof_event_period(&p->event, period_ns),
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	if (p->depth > 0) {
		attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr.exclude_callchain_kernel = 1;
		attr.sample_max_stack = (uint16_t)(p->depth + 1);
	}
	return (int)syscall(SYS_perf_event_open, &attr, tid, -1, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static const char *why_not(int err)
{
	switch (err) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		return "no hardware counters here";
	case EACCES:
	case EPERM:
		return "not permitted (perf_event_paranoid or seccomp)";
	case ENOSYS:
		return "not in this kernel";
	case EMFILE:
	case ENFILE:
		return "no more files";
	default:
		return "perf_event_open failed";
	}
}

/* Holds 0.6 s of samples; SAM's rounds are closer together. */
static uint64_t ring_bytes_for(const struct cof_opts *o, uint64_t page)
{
	uint64_t record = 24 + (o->stack_depth > 0 ?
				8 * (o->stack_depth + 3ull) : 0);
	uint64_t need = record * o->sample_hz * 6 / 10, bytes = page;

	while (bytes < need && bytes < (1u << 20))
		bytes *= 2;
	return bytes;
}

static int open_event(struct cof *cof, const char *name, bool clock,
		      void **state, char *why, size_t why_bytes)
{
	struct perf *p = cof_mem_alloc(sizeof(*p));
	int fd, err;

	if (!p) {
		snprintf(why, why_bytes, "no memory");
		return -COF_E_NOMEM;
	}
	p->page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	p->ring_bytes = ring_bytes_for(&cof->opts, p->page_bytes);
	p->depth = cof->opts.stack_depth;
	err = cof_event_find(name, &p->event, why, why_bytes);
	if (err == 0 && (p->event.type == PERF_TYPE_SOFTWARE) != clock) {
		snprintf(why, why_bytes, "event %s is %s", name,
			 clock ? "no clock" : "no hardware event");
		err = -COF_E_STATE;
	}
	if (err != 0)
		goto fail;
	fd = event_open(p, 0, 1000000000u);
	if (fd < 0) {
		snprintf(why, why_bytes, "event %s: %s (%s)", name,
			 why_not(errno), strerrorname_np(errno));
		err = -COF_E_PERM;
		goto fail;
	}
	close(fd);
	*state = p;
	return 0;
fail:
	cof_mem_free(p);
	return err;
}

static int perf_open(struct cof *cof, void **state, char *why, size_t bytes)
{
	const char *event = cof->opts.event;

	return open_event(cof, event[0] ? event : "cycles", false, state, why,
			  bytes);
}

static int perf_clock_open(struct cof *cof, void **state, char *why,
			   size_t bytes)
{
	const char *event = cof->opts.event;

	return open_event(cof, event[0] ? event : "task-clock", true, state,
			  why, bytes);
}

static void perf_close(void *state)
{
	cof_mem_free(state);
}

/*
 * The event's descriptor has to stay open, but programs close descriptors that
 * they did not open (daemons do, from 3 up). So it gets a high number. Before
 * each use is_event() checks that the number still stands for a perf event;
 * another file of the program's is not touched. Of the descriptors that the
 * program may have all events together take a quarter: with hundreds of threads
 * the program would find none left. -1: there is none for this thread. Closes
 * `fd`, or hands it back under its high number.
 */
static int move_high(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
	struct rlimit limit;

	close(fd);
	if (high < 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
	    (rlim_t)(high - HIGH_FD) < limit.rlim_cur / 4)
		return high;
	close(high);
	return -1;
}

static bool is_event(int fd)
{
	char path[32], to[32];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n = readlink(path, to, sizeof(to));
	return n == (ssize_t)strlen(EVENT_LINK) &&
	       memcmp(to, EVENT_LINK, (size_t)n) == 0;
}

COF_FORK_CODE void cof_perf_close(struct cof_thread *t)
{
	if (t->perf_fd >= 0 && is_event(t->perf_fd))
		close(t->perf_fd);
	t->perf_fd = -1;
}

static int perf_attach(void *state, struct cof_thread *t, uint64_t period_ns)
{
	struct perf *p = state;
	int fd = event_open(p, t->tid, period_ns);
	void *map;

	fd = fd >= 0 ? move_high(fd) : -1;
	if (fd < 0)
		return -COF_E_NOMEM;
	map = mmap(NULL, p->page_bytes + p->ring_bytes, PROT_READ | PROT_WRITE,
		   MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		close(fd);
		return -COF_E_NOMEM;
	}
	t->perf_fd = fd;
	t->perf_map = map;
	return 0;
}

static void perf_detach(void *state, struct cof_thread *t)
{
	struct perf *p = state;

	munmap(t->perf_map, p->page_bytes + p->ring_bytes);
	cof_perf_close(t);
	t->perf_map = NULL;
}

static void perf_set_period(void *state, struct cof_thread *t,
			    uint64_t period_ns)
{
	struct perf *p = state;
	uint64_t count = cof_event_period(&p->event, period_ns);

	if (is_event(t->perf_fd))
		ioctl(t->perf_fd, PERF_EVENT_IOC_PERIOD, &count);
}

static uint64_t perf_read(void *state, struct cof_thread *t,
			  cof_sample_fn *sink, void *arg)
{
	struct perf *p = state;

	return cof_perfring_read(t->perf_map,
				 (char *)t->perf_map + p->page_bytes,
				 p->ring_bytes, p->depth > 0, sink, arg);
}

const struct cof_source cof_source_perf = {
	.name = "perf",
	.delivery = COF_DELIVERY_PERF,
	.open = perf_open,
	.close = perf_close,
	.attach = perf_attach,
	.detach = perf_detach,
	.set_period = perf_set_period,
	.read = perf_read,
};

const struct cof_source cof_source_perf_clock = {
	.name = "perf-clock",
	.delivery = COF_DELIVERY_PERF_CLOCK,
	.open = perf_clock_open,
	.close = perf_close,
	.attach = perf_attach,
	.detach = perf_detach,
	.set_period = perf_set_period,
	.read = perf_read,
};
