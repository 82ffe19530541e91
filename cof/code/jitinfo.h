/*
 * jitinfo.h - which version's code holds this address?
 *
 *              find             add, remove      collect
 *   find       -                -                -
 *   add, rm    -                code lock        -
 *   collect    -                -                P/O
 *
 * "-": safe together. find, add and remove never wait: add and remove hand over
 * what they take out, and collect, under no lock, waits until nobody reads it.
 * The cost of find does not follow the number of versions. What it returns
 * stays valid until the caller's role has turned (version.h). Ranges do not
 * overlap; add refuses one that does.
 *
 * Not for signal handlers: SAM looks the samples up later.
 */
#ifndef COF_CODE_JITINFO_H
#define COF_CODE_JITINFO_H

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

/*
 * Free what add and remove took out, after a grace period: that is as long as
 * any thread stays in a liburcu-bp read section, the program's own included. So
 * not under a lock, nor on a thread that may be in such a section. Without it
 * the index keeps a node or two for each add until it is freed itself. Needs
 * membarrier(2): liburcu aborts if the kernel comes to refuse that.
 */
void cof_jitinfo_collect(struct cof_jitinfo *index);

/* Is there enough to collect? Any thread. */
bool cof_jitinfo_is_full(const struct cof_jitinfo *index);

/* NULL: no code of ours. */
struct cof_version *cof_jitinfo_find(const struct cof_jitinfo *index,
				     uintptr_t address);

/*
 * A thread that calls find() in a loop brackets it with these once, and calls
 * quiet() once a turn, when it holds no version from before, and before it
 * tells that it has turned: what was removed before that is not found later
 * (instance.h). A thread that does not may call find() all the same; its first
 * call then allocates.
 */
void cof_jitinfo_reader_enter(void);
void cof_jitinfo_reader_quiet(void);
void cof_jitinfo_reader_leave(void);

/*
 * For the fork hooks (process/process.h): prepare() last of all, after the code lock
 * was taken, then parent() or child() first of all.
 */
void cof_jitinfo_fork_prepare(void);
void cof_jitinfo_fork_parent(void);
void cof_jitinfo_fork_child(void);

#endif /* COF_CODE_JITINFO_H */
