/*
 * machine_load.h - what a build costs the program, given how busy the machine is
 *
 * A build takes CPU time from somebody. On a core that would idle it is nearly
 * free; on a machine with nothing to spare the program pays all of it. The cost
 * model multiplies the CPU time of builds by a weight between load_floor and
 * 1, from the cores that were free lately:
 *
 *	free   = min(idle, quota - used) + builds		in cores
 *	weight = 1 - (1 - FLOOR) * min(1, free)
 *
 * since a build runs on one core. If more run at once than cores are free, the
 * program loses little: workers have low priority.
 *
 * idle and used as of /proc/stat and the process's CPU clock, quota of the
 * control group (cpu.max), none if it has none; builds is what the workers used
 * themselves, which they could have again. Before there is a past to look at, free
 * is what nobody runs on at the moment.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_FACTS_MACHINE_LOAD_H
#define COF_OPTIMIZER_FACTS_MACHINE_LOAD_H

#include <stdint.h>

struct cof;

/* One look at the clocks; all only ever grow. */
struct cof_machine_load_sample {
	uint64_t wall_ns;
	uint64_t idle_ns;	/* of all cores we may run on, together */
	uint64_t used_ns;	/* CPU time of the process */
	uint64_t build_ns;	/* of these, inside builds */
	double   quota;		/* cores the control group allows; 0: no limit */
};

struct cof_machine_load {
	struct cof_machine_load_sample last;
	double                 weight;	/* 1 until it was looked at */
};

/* The weight over the time between two samples. Pure. */
double cof_machine_load_weight(const struct cof_machine_load_sample *then,
		       const struct cof_machine_load_sample *now);

/*
 * The weight while so many threads can run on so many cores, the program's one
 * included. `quota` as above. Pure.
 */
double cof_machine_load_weight_now(unsigned running, unsigned cores, double quota);

/* Read the system's clocks. What cannot be read counts as busy. */
void cof_machine_load_read(struct cof_machine_load_sample *out, uint64_t build_ns);

/* Look again if the last look is at least a quarter second old; cof_call_with_private_files(). */
void cof_machine_load_update(struct cof *cof, struct cof_machine_load *load, uint64_t build_ns);

#endif /* COF_OPTIMIZER_FACTS_MACHINE_LOAD_H */
