/*
 * idle_release.h - gives back what builds need, when nothing is built any more
 *
 *	build ... build          host.drop(), host.release_idle(), purge
 *	------------+----------------+--------------+------------------------+--
 *	            |<-- idle_ms --->|              |                        |
 *	            since                         build     2 * idle_ms     ...
 *
 * A compiler is large: LLVM with what it keeps of a program takes 60 to 100 MB.
 * A program that has settled never needs it again. Loading it again costs some
 * milliseconds of a worker's time (20 for 2 MB of bitcode). So if a program
 * builds now and then, each release waits longer: 2 and then 4 times option
 * idle_ms, of which 20 ms are half a percent.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdint.h>

struct cof;

struct cof_idle_release {
	uint64_t idle_ns;	/* option idle_ms; 0: never */
	uint64_t released_ns;	/* since_ns of the last release */
	uint32_t times;		/* that the wait was doubled */
};

/*
 * How long until a release is due, ns. 0: it is due; UINT64_MAX: not before
 * something else was built. since_ns: when the last build ended; UINT64_MAX:
 * one is queued or running. Pure.
 */
uint64_t cof_idle_release_wait(const struct cof_idle_release *idle,
			       uint64_t since_ns, uint64_t now_ns);

/* Releases if that is due. No build may be queued or running then. */
void cof_idle_release_turn(struct cof *cof, struct cof_idle_release *idle,
			   uint64_t since_ns, uint64_t now_ns);
