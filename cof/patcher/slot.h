/*
 * slot.h - words of the host's that callers jump through
 *
 *	              cof_slot_add            the host changes it
 *	(host's) -----------------> ours ---------------------------> host's
 *	                             |  ^                              (for good)
 *	              cof_slot_remove|  | a new version: compare and swap
 *	                             v  |
 *	                           the stub
 *
 * We never overwrite a value that we did not put there: each change is a
 * compare-and-swap from what we last stored.
 *
 * Thread: under the code lock; the public calls take it.
 */
#ifndef COF_PATCHER_SLOT_H
#define COF_PATCHER_SLOT_H

struct cof_method;

/* Have all slots of the method that are still ours hold its entry. */
void cof_slots_follow(struct cof_method *method);

/* Forget them, as they are. */
void cof_slots_free(struct cof_method *method);

#endif /* COF_PATCHER_SLOT_H */
