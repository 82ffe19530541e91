/*
 * co_instrument.h - which methods to instrument together with a picked one
 *
 *	picked to be   ----> all methods that ran lately and are not settled
 *	instrumented          |  worth it, if each gained several times what
 *	                      v  it would gain alone?
 *	                     most gain per cost first, as many as a unit has
 *	                     (option unit_methods) --> instrumented too
 *
 * Forecasts bring methods one by one, each when it repays its build by itself,
 * which takes long for most methods. But methods that run at the same time call
 * each other. As one unit (optimizer/build/unit_select.h), with profiles of the
 * same moment, they gain more than one by one. Counting slows the program down
 * only once, and the unit has one trial.
 *
 * Thread: P/O.
 */
#pragma once

struct cof;
struct cof_build;
struct cof_picker;

/*
 * Returns builds of kind INSTRUMENTED to be queued, linked by `next`, now the
 * caller's, their methods marked as building. Counts each as co_instrumented,
 * and one drop for each that could not be picked. NULL: none.
 */
struct cof_build *cof_co_instrument_of(struct cof *cof,
				       struct cof_picker *picker);
