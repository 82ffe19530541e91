/*
 * co_instrument.h - who else is to count, now that one method does
 *
 *	picked to count ----> all that ran lately and are not settled
 *	(the leader)            |  worth it, if each gained several times
 *	                        v  what it would gain alone?
 *	                      most gain per cost first, as many as a unit has
 *	                      (option group_methods) --> count too
 *
 * Forecasts bring methods one by one, each when it repays its build by itself,
 * which for most takes long. But methods that run at the same time call each
 * other: built as one unit (optimizer/build/unit_select.h), with profiles of the same moment, they
 * gain more than one by one, and the program is slowed down by counting once,
 * and goes through one trial.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_POLICY_CO_INSTRUMENT_H
#define COF_OPTIMIZER_POLICY_CO_INSTRUMENT_H

struct cof;
struct cof_build;
struct cof_picker;

/*
 * Builds of kind COUNTING to be queued, linked by `next`, now the caller's, their
 * methods marked as building. Counts each as `company`, or one drop. NULL: none.
 */
struct cof_build *cof_co_instrument_of(struct cof *cof, struct cof_picker *picker);

#endif /* COF_OPTIMIZER_POLICY_CO_INSTRUMENT_H */
