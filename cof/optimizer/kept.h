/*
 * kept.h - versions that the host has from an earlier run
 *
 *	history: known hot, with its profile --> host.kept() --> a build that is
 *	                                          |              done already
 *	                                          +-- no --> gathered and built
 *
 * No build has to be waited for, or repaid, so all there are go in at once, and
 * before the program is entered (cof_ready()). What was measured to be faster in
 * an earlier run is believed, and not tried again, but in one run of
 * audit_again_runs.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_KEPT_H
#define COF_OPTIMIZER_KEPT_H

struct cof;
struct cof_build;
struct cof_history_known;
struct cof_picker;
struct cof_version;

/*
 * As a build of kind PROFILED that is done and on no queue, now the caller's, for
 * cof_outcome_take(). NULL: the host has none, or libcof no memory.
 */
struct cof_build *cof_kept_find(struct cof *cof, struct cof_picker *picker,
				struct cof_version *over,
				const struct cof_history_known *known);

#endif /* COF_OPTIMIZER_KEPT_H */
