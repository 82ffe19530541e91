/*
 * reprofile.h - is a method that has its profile to get a second one?
 *
 *	its samples fall elsewhere in its code   --+
 *	in this phase (measure/profile_drift.h)    |
 *	                                       and +--> is instrumented again
 *	second profiles have paid so far, or       |
 *	cost little (measure/reprofile_budget.h) --+
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_method;
struct cof_picker;
struct cof_profile;

/* Has the method a profile of another phase, and may it get one of this
 * phase? */
bool cof_reprofile_may(const struct cof *cof, const struct cof_method *method);

/* Is there budget for another version with a profile? */
bool cof_reprofile_affords(const struct cof *cof,
			   const struct cof_picker *picker,
			   const struct cof_profile *profile);

/* P/O's turn: looks where samples fall, and lets PRE forecast methods that may
 * get a second profile. */
void cof_reprofile_turn(struct cof *cof, struct cof_picker *picker);
