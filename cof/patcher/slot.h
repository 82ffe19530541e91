/*
 * slot.h - slots: words of the host that callers jump through
 *
 *	              cof_slot_add            the host changes it
 *	(host's) -----------------> ours ---------------------------> host's
 *	                             |  ^                             for good
 *	              cof_slot_remove|  | a new version: compare and swap
 *	                             v  |
 *	                           the stub
 *
 * libcof never overwrites a value that it did not store: each change is a
 * compare-and-swap from the value that it stored last.
 *
 * Thread: under the code lock; the public calls take it.
 */
#pragma once

struct cof_method;

/* Store the method's entry in all slots that the host has not changed. */
void cof_slots_follow(struct cof_method *method);

/* Free the method's slots, and leave the words as they are. */
void cof_slots_free(struct cof_method *method);
