/*
 * unit_build.h - methods that are full, a unit at a time, to be built
 *
 *	full, full, full --> candidates --> the first unit of them --> a build
 *	                     (optimizer/build/unit_select.h)      its members BUILDING       for each
 *
 * How much a unit may cost depends on how long the program ran so far, and on how
 * long it ran in earlier runs.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_POLICY_UNIT_BUILD_H
#define COF_OPTIMIZER_POLICY_UNIT_BUILD_H

struct cof;
struct cof_build;
struct cof_picker;

/* The next unit to be queued, linked by `peer`, its methods marked as building;
 * now the caller's. NULL: none, for now. */
struct cof_build *cof_unit_build_next(struct cof *cof, struct cof_picker *picker);

#endif /* COF_OPTIMIZER_POLICY_UNIT_BUILD_H */
