/*
 * machine.h - one core of a machine on which libcof and a program run in steps
 *
 * The core belongs to the program. What libcof's stages, builds, samples and
 * barriers take, the program waits for. There is no thread and no real time, so
 * a run depends on its input only.
 *
 *	machine_start()
 *	machine_run(pc, ns)	the program is at `pc` for `ns`
 *	machine_sleep(ns)	it waits
 *	machine_stop()		the counters can still be read
 *	machine_free()
 */
#pragma once

#include <stdint.h>

struct cof;
struct cof_host;

/* What the machine takes for what libcof does, in ns. */
struct machine_costs {
	uint64_t sample;	/* interrupt, signal and handler */
	uint64_t barrier;	/* a membarrier, for the thread it interrupts */
	uint64_t site;		/* a rewritten call site, for who runs it */
	uint64_t search;	/* of all stacks, by reclaim */
	uint64_t count;		/* an entry that is counted */
	uint64_t threads;	/* that libcof sees; 0: none */
};

/* As cof_start(); ends the process if it fails. `seed`: of the samples. */
struct cof *machine_start(const struct cof_host *host, const char *options,
			  const struct machine_costs *costs, uint64_t seed);
void machine_run(const void *pc, uint64_t ns);
void machine_sleep(uint64_t ns);

/* For a host's callbacks: a build takes `ns`. */
void machine_build(uint64_t ns);

/* Reclaim finds `pc` on the program's stack, at a place from 0 to 3. */
void machine_frame(unsigned place, const void *pc);

/* CPU time so far, of the program and of all that it waited for. */
uint64_t machine_cpu_ns(void);
uint64_t machine_waited_ns(void);

/* A hash of all counters but those of memory. */
uint64_t machine_digest(void);

void machine_stop(void);
void machine_free(void);
