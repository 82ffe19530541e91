/*
 * cached_versions.h - versions that the host has from an earlier run
 *
 *	history: known hot, with its profile --> host.cached_version() --> a build that is
 *	                                          |              done already
 *	                                          +-- no --> gathered and built
 *
 * No build has to be waited for, or repaid, so all there are go in at once, and
 * before the program is entered (cof_ready()). What was measured to be faster in
 * an earlier run is believed, and not tried again, but in one run of
 * audit_retry_runs; nor is what showed nothing then (COF_TRIAL_UNSEEN).
 *
 * What it has may be of another profile than the one known. The better start it
 * is all the same; and where the two differ much, the method is built with the new
 * one, within the budget of those that count again (reprofile.h), and tried against
 * the one that was kept.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_POLICY_CACHED_VERSIONS_H
#define COF_OPTIMIZER_POLICY_CACHED_VERSIONS_H

struct cof;
struct cof_build;
struct cof_history_known;
struct cof_picker;
struct cof_version;

/*
 * As a build of kind PROFILED that is done and on no queue, now the caller's, for
 * cof_build_result_take(). NULL: the host has none, or libcof no memory.
 */
struct cof_build *cof_cached_versions_find(struct cof *cof, struct cof_picker *picker,
				struct cof_version *over,
				const struct cof_history_known *known);

/* That build has been taken. Is the method to be built with the profile that is
 * known, which is so far from the version's? Then it is FULL. */
void cof_cached_versions_renew(struct cof *cof, struct cof_picker *picker,
		    const struct cof_history_known *known,
		    unsigned drift_permille);

#endif /* COF_OPTIMIZER_POLICY_CACHED_VERSIONS_H */
