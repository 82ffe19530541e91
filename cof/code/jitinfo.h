/*
 * jitinfo.h - the index of code addresses: which version holds this one?
 *
 *              find             add, remove      collect
 *   find       -                -                -
 *   add, rm    -                code lock        -
 *   collect    -                -                P/O
 *
 * "-": safe together. find, add and remove never wait. add and remove hand over
 * what they take out; collect, under no lock, waits until no thread reads it.
 * The cost of find does not depend on the number of versions. Its result stays
 * valid until the caller's role has turned (version.h). Ranges do not overlap:
 * add refuses one that does.
 *
 * Not for signal handlers: SAM looks samples up later.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_version;
struct cof_jitinfo;

/* Returns NULL: no memory. */
struct cof_jitinfo *cof_jitinfo_new(void);
void cof_jitinfo_free(struct cof_jitinfo *index);

/*
 * Returns 0, -COF_E_NOMEM, or -COF_E_INVAL: the range is empty, overlaps or
 * ends past 48 bits. On an error nothing changed.
 */
int  cof_jitinfo_add(struct cof_jitinfo *index, struct cof_version *version);
void cof_jitinfo_remove(struct cof_jitinfo *index, struct cof_version *version);

/*
 * Free what add and remove took out, after a grace period. That lasts as long
 * as any thread stays in a read section of liburcu-bp, also in one of the
 * program's. So do not call it under a lock, or on a thread that may be in such
 * a section. If it is never called, the index holds a node or two for each add
 * until it is freed itself. Needs membarrier(2): liburcu aborts if the kernel
 * refuses it.
 */
void cof_jitinfo_collect(struct cof_jitinfo *index);

/* Is there enough to be worth a collect? Any thread. */
bool cof_jitinfo_is_full(const struct cof_jitinfo *index);

/* NULL: no version holds the address. */
struct cof_version *cof_jitinfo_find(const struct cof_jitinfo *index,
				     uintptr_t address);

/*
 * A thread that calls find() in a loop calls enter() before the loop, and
 * leave() after it. It calls quiet() once a turn, when it holds no version from
 * before, and before it counts the turn: then it does not find later what was
 * removed before (instance.h). Other threads may call find() too; their first
 * call allocates.
 */
void cof_jitinfo_reader_enter(void);
void cof_jitinfo_reader_quiet(void);
void cof_jitinfo_reader_leave(void);

/*
 * For the fork hooks (api/fork_hooks.h): prepare() last of all, after the code
 * lock was taken; then parent() or child() first of all.
 */
void cof_jitinfo_fork_prepare(void);
void cof_jitinfo_fork_parent(void);
void cof_jitinfo_fork_child(void);
