/*
 * known_pick.h - from a method that an earlier run found hot to a build
 *
 *	known hot --> has the host a cached version? --> that, at once
 *	                |
 *	                +-- no --> a profile is at hand --> FULL, at once
 *	                           none is --> built with the plan of then, if
 *	                                       that is worth it
 *
 * Nothing waits for samples.
 *
 * Thread: P/O.
 */
#pragma once

struct cof;
struct cof_build;
struct cof_history_known;
struct cof_picker;

/*
 * Counts one known. Returns a build, now the caller's, its method marked as
 * building: to be queued, or done if the host had a cached version. NULL: the
 * method is FULL, or one drop is counted.
 */
struct cof_build *cof_known_pick(struct cof *cof, struct cof_picker *picker,
				 const struct cof_history_known *known);
