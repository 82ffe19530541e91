/*
 * cached_versions.h - versions that the host has from an earlier run
 *
 *	history: known hot,  --> host.cached_version() --> a build that is done
 *	with its profile           |
 *	                           +-- no --> gathered and built
 *
 * P/O need not wait for these builds, nor must they repay their cost. So P/O
 * installs all of them at once, before the program is entered (cof_ready()). A
 * version that an earlier run measured to be faster is believed: it goes on
 * trial again only in one run of audit_retry_runs. The same holds for a version
 * whose trial showed nothing then (COF_TRIAL_UNSEEN).
 *
 * The cached version may have been built from another profile than the one
 * known now. It is the better start all the same. If the two profiles differ
 * much, the method is built with the new one too, within the budget for second
 * profiles (reprofile.h), and that version is tried against the cached one.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_build;
struct cof_cost_choice;
struct cof_history_known;
struct cof_picker;
struct cof_version;

/*
 * Asks the host for a cached version to replace `over`. Returns a build of kind
 * PROFILED that is done and on no queue, now the caller's, for
 * cof_build_result_take(). NULL: the host has none, or libcof no memory. Sets
 * *later if another process may be making it.
 */
struct cof_build *
cof_cached_versions_find(struct cof *cof, struct cof_picker *picker,
			 struct cof_version *over,
			 const struct cof_history_known *known, bool *later);

/*
 * Asks the host for an instrumented version to replace `over`, as chosen.
 * False: it has none, or the run cannot afford to count (build/unproven.h).
 * *out is a build of kind INSTRUMENTED, likewise; NULL: no memory, which is
 * counted as a drop.
 */
bool cof_cached_versions_counting(struct cof *cof, struct cof_picker *picker,
				  struct cof_version *over,
				  const struct cof_cost_choice *choice,
				  bool *later, struct cof_build **out);

/* Called when that build has been taken. drift_permille: how far the version's
 * profile is from the known one. If that is far enough, and worth it, the
 * method becomes FULL, to be built with the known profile. */
void cof_cached_versions_renew(struct cof *cof, struct cof_picker *picker,
			       const struct cof_history_known *known,
			       unsigned drift_permille);
