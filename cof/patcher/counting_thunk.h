/*
 * counting_thunk.h - a door before a method that counts who comes in
 *
 *	byte 0                            8                        24
 *	     [ inc qword [entries] ; nop ][ as a stub: to a version ]
 *	     [ nop of 7 bytes     ; nop ]
 *
 *	callers --> 0 -- counted --> 8 --> version
 *	callers inside what is counted --> 8
 *
 * During a trial (optimizer/trial/audit.h) callers go by the method's pad, so that a
 * switch between two versions is one store, whoever calls. A caller that is part
 * of what is on trial itself enters at 8: it may be inlined in one version and
 * call in the other. Both words are changed like a stub's (stub.h): one aligned
 * store of 8 bytes each. Instructions begin at the same bytes in both forms of the
 * first: a thread may have run the inc, and come to the nop when the word has
 * changed.
 *
 * A pad is made when it is first needed and never freed, since its address may
 * stay in a register for ever; so it leads to the method's current version for
 * ever. `entries` is in near data, on a cache line of its own; threads that come
 * in at once may lose counts to each other.
 *
 * Thread: under the code lock.
 */
#ifndef COF_PATCHER_COUNTING_THUNK_H
#define COF_PATCHER_COUNTING_THUNK_H

#include <stdbool.h>
#include <stdint.h>

struct cof_method;

#define COF_COUNTING_THUNK_PAST 8u		/* where callers enter that do not count */

/* Make it, if there is none; it leads nowhere yet. False: no room. */
bool cof_counting_thunk_make(struct cof_method *method);

/* Have it lead to `to` from now on. */
void cof_counting_thunk_lead(struct cof_method *method, uintptr_t to);

/* Count those who come in, or let them pass. */
void cof_counting_thunk_count(struct cof_method *method, bool on);

#endif /* COF_PATCHER_COUNTING_THUNK_H */
