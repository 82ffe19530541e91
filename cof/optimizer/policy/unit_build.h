/*
 * unit_build.h - builds methods that are FULL, a unit at a time
 *
 *	FULL, FULL, FULL --> candidates --> the first unit --> a build for each
 *	                                    of them, its       member
 *	                                    members BUILDING
 *
 * build/unit_select.h chooses the unit. How much a unit may cost depends on how
 * long the program ran so far, and on how long it ran in earlier runs.
 *
 * Thread: P/O.
 */
#pragma once

struct cof;
struct cof_build;
struct cof_picker;

/* Returns the builds of the next unit, to be queued, linked by `peer`, now the
 * caller's; their methods are marked as building. NULL: none, for now. */
struct cof_build *cof_unit_build_next(struct cof *cof,
				      struct cof_picker *picker);
