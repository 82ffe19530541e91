/*
 * forked.h - is this still the process that it was?
 *
 * After fork(2) the child has none of libcof's threads, and what they were in
 * the middle of stays that way. So what depends on a thread remembers
 * cof_forked_count() of its start, and compares.
 *
 * Thread: any. None of these blocks; cof_forked_count() may be called in a
 * signal handler once it was called outside of one.
 */
#ifndef COF_PROCESS_FORKED_H
#define COF_PROCESS_FORKED_H

#include <stdbool.h>
#include <stdint.h>

struct cof;

/* Forks between the process that first called this and this one. */
uint32_t cof_forked_count(void);

/* Are forks counted at all? False: there was no memory for the hook. */
bool cof_forked_is_counted(void);

/* Is this a fork's child, in which `cof` was started by the parent? */
bool cof_forked_is_child(const struct cof *cof);

/* Has a child of this process, or of one of its parents, said that it runs the
 * code memory of its parent? */
bool cof_forked_child_shares(void);

/* Say so: to this process and to all that it has in common with. */
void cof_forked_note_shared(void);

#endif /* COF_PROCESS_FORKED_H */
