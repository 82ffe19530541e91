/*
 * again.h - is a method that has its profile to have another one?
 *
 *	its samples fall elsewhere in its code in this phase  --+
 *	(drift.h)                                               +--> counts again
 *	what was counted again so far has paid, or cost little --+
 *
 * What a second profile brings no host can say, and a trial of it may take longer
 * than its phase does. So all such builds of a run share one budget:
 *
 *	comes in    reprofile_free_ms, a part of the program's time, and what
 *	            trials of second profiles showed to be gained; in earlier runs
 *	            too, if the host kept the version
 *	goes out    what such builds are expected to take
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_AGAIN_H
#define COF_OPTIMIZER_AGAIN_H

#include <stdbool.h>
#include <stdint.h>

struct cof;
struct cof_method;
struct cof_picker;

/* Pure. */
struct cof_again {
	double spent_ns, gained_ns;
};

bool cof_again_affords(const struct cof_again *again, double cost_ns,
		       double program_ns);

/* One was picked. */
void cof_again_spend(struct cof_again *again, double cost_ns);

/* One is `speedup` times as fast as the one before, where the program spends
 * `ns` of what is still to come. */
void cof_again_learn(struct cof_again *again, double speedup, double ns);

/* Look where samples fall, and let those be picked that may be. Each turn. */
void cof_again_turn(struct cof *cof, struct cof_picker *picker);

/* Do the method's samples fall elsewhere than where its profile is from? Yes, where
 * it was not seen yet where they fall. */
bool cof_again_moved(const struct cof_method *method);

#endif /* COF_OPTIMIZER_AGAIN_H */
