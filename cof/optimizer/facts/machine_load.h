/*
 * machine_load.h - the cost of builds to the program, given the machine's load
 *
 * On a core that would idle a build is nearly free. On a fully busy machine the
 * program pays all of it. The cost model multiplies the CPU time of builds by a
 * weight between load_floor and 1, from the cores that were free lately:
 *
 *	free   = min(idle, quota - used) + builds		in cores
 *	weight = 1 - (1 - load_floor) * min(1, free)
 *
 *	idle	/proc/stat
 *	used	the process's CPU clock
 *	quota	cpu.max of the control group; no term if there is no quota
 *	builds	what the workers used, which they could use again
 *
 * A build runs on one core. If more builds run at once than cores are free, the
 * program loses little: workers have low priority. Before the first interval
 * `free` is the number of cores on which nothing runs at the moment.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdint.h>

struct cof;

/* One reading of the clocks. Only idle_ns may decrease. */
struct cof_machine_load_sample {
	uint64_t wall_ns;
	uint64_t idle_ns;	/* sum of all cores the process may run on */
	uint64_t used_ns;	/* CPU time of the process */
	uint64_t build_ns;	/* part of used_ns: the workers */
	double   quota;		/* cores the control group allows; 0: all */
};

struct cof_machine_load {
	struct cof_machine_load_sample last;
	double weight;	/* 1 until the first update */
};

/* The weight over the time between two samples. Pure. */
double cof_machine_load_weight(const struct cof_machine_load_sample *then,
			       const struct cof_machine_load_sample *now);

/*
 * The weight at an instant: `running` threads can run on `cores` cores, one
 * thread of the program included. `quota` as above. Pure.
 */
double cof_machine_load_weight_now(unsigned running, unsigned cores,
				   double quota);

/* Read the system's clocks. A value that cannot be read counts as busy. */
void cof_machine_load_read(struct cof_machine_load_sample *out,
			   uint64_t build_ns);

/*
 * Update the weight if the last sample is at least load_look_ms old. Reads
 * files within cof_call_with_private_files(). A stepped instance never updates.
 */
void cof_machine_load_update(struct cof *cof, struct cof_machine_load *load,
			     uint64_t build_ns);
