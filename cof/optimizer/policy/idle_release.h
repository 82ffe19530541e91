/*
 * idle_release.h - nothing is built any more: what builds need is given back
 *
 *	build ... build          host.drop() of all IR, host.release_idle(), purge
 *	------------+----------------+--------------+------------------------+--
 *	            |<-- idle_ms --->|              |                        |
 *	            since                         build     2 * idle_ms     ...
 *
 * A compiler is large: LLVM with what it keeps of a program takes 60 to 100 MB,
 * and a program that settled never needs it again. Taking it back costs some
 * milliseconds, of a worker's time (20 for 2 MB of bitcode), so a program that
 * builds now and then rests later each time: after 2 and then 4 times option
 * idle_ms, when 20 ms are half a percent.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_POLICY_IDLE_RELEASE_H
#define COF_OPTIMIZER_POLICY_IDLE_RELEASE_H

#include <stdint.h>

struct cof;

struct cof_idle_release {
	uint64_t idle_ns;	/* option idle_ms; 0: never */
	uint64_t rested_ns;	/* `since` of the last rest */
	uint32_t times;		/* that the wait was doubled */
};

/*
 * Nothing was built since since_ns; UINT64_MAX: something is right now. How long
 * until it is time to rest: 0: it is; UINT64_MAX: not before something else was
 * built. Pure.
 */
uint64_t cof_idle_release_wait(const struct cof_idle_release *rest, uint64_t since_ns,
		       uint64_t now_ns);

/* Rest, if it is time to. No build may be queued or running if it is. */
void cof_idle_release_turn(struct cof *cof, struct cof_idle_release *rest, uint64_t since_ns,
		   uint64_t now_ns);

#endif /* COF_OPTIMIZER_POLICY_IDLE_RELEASE_H */
