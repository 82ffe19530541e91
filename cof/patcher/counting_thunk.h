/*
 * counting_thunk.h - a thunk before a method that counts its entries
 *
 *	byte 0                            8                        24
 *	     [ inc qword [entries] ; nop ][ as a stub: to a version ]
 *	     [ nop of 7 bytes     ; nop ]
 *
 *	callers --> 0 -- counted --> 8 --> version
 *	callers inside the trial --> 8
 *
 * During a trial (optimizer/trial/audit.h) callers go by the method's thunk, so
 * one store switches all of them between two versions. A caller that is part of
 * the trial itself enters at 8, uncounted: the method may be inlined there in
 * one version and called in the other. Each word is changed like a stub's
 * (stub.h), with one aligned store of 8 bytes. In both forms of the first word
 * the instructions begin at the same bytes: a thread may run the inc and reach
 * the nop after the word has changed.
 *
 * A thunk is made when it is first needed. It is never freed, since its address
 * may stay in a register for ever, and so it leads to the method's current
 * version for ever. `entries` is in near data, on a cache line of its own.
 * Threads that enter at the same time may lose counts.
 *
 * Thread: under the code lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_method;

#define COF_COUNTING_THUNK_PAST 8u	/* where uncounted callers enter */

/* Make the thunk, if there is none; it leads nowhere yet. False: no memory. */
bool cof_counting_thunk_make(struct cof_method *method);

/* Have the thunk lead to `to` from now on. */
void cof_counting_thunk_lead(struct cof_method *method, uintptr_t to);

/* Count entries from now on, or do not. */
void cof_counting_thunk_count(struct cof_method *method, bool on);
