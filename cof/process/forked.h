/*
 * forked.h - is this still the process that it was?
 *
 * After fork(2) the child has none of libcof's threads, and what they were in
 * the middle of stays that way. So code that depends on a thread stores
 * cof_forked_count() when it starts, and compares later.
 *
 * Thread: any. None of these blocks. A signal handler may call
 * cof_forked_count() once it was called outside of one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof;

/* Forks between the process that first called this and this one. */
uint32_t cof_forked_count(void);

/* Are forks counted at all? False: there was no memory for the hook. */
bool cof_forked_is_counted(void);

/* Is this a fork's child, in which `cof` was started by the parent? */
bool cof_forked_is_child(const struct cof *cof);

/* Has a child of this process, or of one of its parents, noted that it runs the
 * code memory of its parent? */
bool cof_forked_child_shares(void);

/* Note that, for this process and all that share the word with it. */
void cof_forked_note_shared(void);
