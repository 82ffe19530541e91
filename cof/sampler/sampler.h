/*
 * sampler.h - SAM: the thread that credits samples to versions
 *
 * SAM drains the threads' rings, maps each pc to a version and adds 1 to its
 * calls. It drops and counts native samples. The first sample of a version in a
 * generation also goes to PRE as "touched". SAM keeps the sampling budget and
 * frees detached threads. It sleeps longer while no samples come, and wakes PRE
 * when they come again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof;

/*
 * What SAM's thread calls of the instance. If the loop begins only when the
 * program has used enough CPU time (cof->begins_cpu_ns), the first two are
 * needed. Otherwise any may be NULL.
 */
struct cof_sampler_hooks {
	/* The time has come: make the other stages. *until_cpu_ns: the CPU time
	 * to wait for before sampling, 0 for none. Returns 0, or a negative
	 * cof_err: the loop cannot begin. */
	int  (*begin)(struct cof *cof, uint64_t *until_cpu_ns);
	/* Samples are taken from now on. */
	void (*begun)(struct cof *cof);
	/* SAM has stopped: the last call on its thread. */
	void (*ended)(struct cof *cof);
	/* Only libcof's threads are left; the process ends after this. */
	void (*left)(struct cof *cof);
};

/*
 * Open the source and start the thread. Returns 0, -COF_E_NOMEM or
 * -COF_E_INVAL: the event or replay file that was asked for by name did not
 * open. `why`, of COF_WHY_BYTES, gets one line on an error; it may be NULL. SAM
 * starts also if no source opens. In mode pgo there is no source and no thread,
 * only the handler, which answers reclaim's pokes. A stepped instance has the
 * source and no thread.
 */
int  cof_sampler_start(struct cof *cof, const struct cof_sampler_hooks *hooks,
		       char *why);
/* Join the thread, drain the rings, close the sources. Blocks. */
void cof_sampler_stop(struct cof *cof);
void cof_sampler_free(struct cof *cof);

/* Ask SAM to stop, without waiting. False: it has no thread.
 * Async-signal-safe. */
bool cof_sampler_ask(struct cof *cof);

/*
 * Stop the handlers from entering the instance, and wait for those inside, for
 * 2 s at most (threads/threads.h). False: one is still inside, and what
 * handlers use must not be freed.
 */
bool cof_sampler_quiet(struct cof *cof);

/*
 * One round of SAM's, at `now_ns`. Returns how long to sleep until the next
 * unless woken, in ns. Call it once the loop has begun. Thread: SAM, as a
 * reader of the index (code/jitinfo.h).
 */
uint64_t cof_sampler_step(struct cof *cof, uint64_t now_ns);

/* Begins and ends the sampling of a thread: for cof_threads_new(). */
extern const struct cof_threads_hooks cof_sampler_threads_hooks;
