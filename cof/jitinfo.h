/*
 * jitinfo.h - which version's code holds this address?
 *
 *              find             add, remove
 *   find       -                -
 *   add, rm    -                code lock
 *
 * "-": safe together. find never waits, never allocates, and its cost does not
 * follow the number of versions. What it returns stays valid until the caller's
 * role has turned (version.h). Ranges do not overlap; add refuses one that
 * does.
 *
 * Not for signal handlers: SAM looks the samples up later.
 */
#ifndef COF_JITINFO_H
#define COF_JITINFO_H

#include <stdbool.h>
#include <stdint.h>

struct cof_version;
struct cof_jitinfo;

/* NULL: no memory. */
struct cof_jitinfo *cof_jitinfo_new(void);
void cof_jitinfo_free(struct cof_jitinfo *index);

/* 0, -COF_E_INVAL: a range that is empty, overlaps or ends past 48 bits,
 * -COF_E_NOMEM: nothing changed. */
int  cof_jitinfo_add(struct cof_jitinfo *index, struct cof_version *version);
void cof_jitinfo_remove(struct cof_jitinfo *index, struct cof_version *version);

/* NULL: no code of ours. */
struct cof_version *cof_jitinfo_find(const struct cof_jitinfo *index,
				     uintptr_t address);

/*
 * A thread that calls find() in a loop brackets it with these once, and calls
 * quiet() wherever it holds no result of the index's inner nodes. A thread that
 * does not may call find() all the same; its first call then allocates.
 */
void cof_jitinfo_reader_enter(void);
void cof_jitinfo_reader_quiet(void);
void cof_jitinfo_reader_leave(void);

/*
 * For the fork hooks (process.h): prepare() last of all, after the code lock
 * was taken, then parent() or child() first of all.
 */
void cof_jitinfo_fork_prepare(void);
void cof_jitinfo_fork_parent(void);
void cof_jitinfo_fork_child(void);

#endif /* COF_JITINFO_H */
