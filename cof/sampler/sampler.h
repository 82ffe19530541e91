/*
 * sampler.h - SAM: rings to JIT-info records
 *
 * SAM drains the threads' rings, drops native samples (counted), maps each pc
 * to a version and adds 1 to its calls; the first sample of a version in a
 * generation also goes to PRE as "touched". It keeps the sampling budget and
 * frees detached threads. It sleeps longer while no samples come, and wakes PRE
 * when they come again.
 */
#ifndef COF_SAMPLER_SAMPLER_H
#define COF_SAMPLER_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

struct cof;

/*
 * What an instance does on SAM's thread, in SAM's place. Where the loop is held
 * until the program has used enough CPU time (cof->begins_cpu_ns) the first two
 * are needed; any may be NULL else.
 */
struct cof_sampler_hooks {
	/* The time has come: make the other stages, decide. *until_cpu_ns: the
	 * CPU time to wait for besides, 0 for none. 0 or a negative cof_err:
	 * the loop cannot begin. */
	int  (*begin)(struct cof *cof, uint64_t *until_cpu_ns);
	/* Samples are taken from now on. */
	void (*begun)(struct cof *cof);
	/* SAM has stopped: its thread's last act. */
	void (*ended)(struct cof *cof);
};

/* Open the source and start the thread. 0, -COF_E_NOMEM, -COF_E_INVAL (an
 * event or replay file that was asked for by name cannot be had; one line in
 * why). Without any source it starts all the same. In mode pgo without source
 * and thread: its handler answers reclaim's pokes, and that is all. A stepped
 * instance has the source and no thread. */
int  cof_sampler_start(struct cof *cof, const struct cof_sampler_hooks *hooks,
		       char *why);
void cof_sampler_stop(struct cof *cof);		/* join; sources closed */
void cof_sampler_free(struct cof *cof);

/* SAM is to stop, and is not waited for. False: there is no such thread. Async-
 * signal-safe. */
bool cof_sampler_ask(struct cof *cof);

/*
 * Is no signal handler in the instance any more? Stopped, and those under way
 * waited for, 2 s at most (threads/threads.h). False: what they touch must stay.
 */
bool cof_sampler_quiet(struct cof *cof);

/*
 * A round of SAM's, at `now_ns`. Returns how long to sleep until the next, unless
 * woken, in ns. SAM, as a reader of the index (code/jitinfo.h), once the loop has begun.
 */
uint64_t cof_sampler_step(struct cof *cof, uint64_t now_ns);

/* How sampling of a thread begins and ends: for cof_threads_new(). */
extern const struct cof_threads_hooks cof_sampler_threads_hooks;

#endif /* COF_SAMPLER_SAMPLER_H */
