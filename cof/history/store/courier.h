/*
 * courier.h - the thread that goes to the store, so that nobody else has to
 *
 *	cof_start()            courier                store
 *	new ----------------->  thread: private file table
 *	want_past, wait ----->  open, load, close     <-- at most wait_ns
 *	save ---------------->  open, save, close
 *	save, wait, leave --->  open, save, close     <-- at most wait_ns
 *	                        ends by itself
 *
 * A file may be on a disk that sleeps or a server that is gone, so nobody waits
 * for the courier longer than he chooses to, and nobody joins it: it shares
 * nothing with an instance, and the last of the two to go frees it.
 *
 * Its thread has a file table of its own. Else a program that closes descriptor
 * 0 and opens a file to get 0 again might get 1 instead, since we had a file
 * open at that moment.
 *
 * The thread is made at once and not when needed: `runtime` takes every thread
 * made later for one of the program's.
 *
 * Thread: functions without another word: any; one at a time for a courier.
 */
#ifndef COF_HISTORY_STORE_COURIER_H
#define COF_HISTORY_STORE_COURIER_H

#include <stdbool.h>
#include <stdint.h>

#include "history/store/store.h"

struct cof_history_courier;

/* `where` is copied. NULL: no memory or no more threads. */
struct cof_history_courier *
cof_history_courier_new(const char *where,
			const struct cof_history_limits *limits);

/*
 * Load the past of `id`, and wait for it. OK: *past is the caller's. BUSY: it
 * did not come in time; what comes later is thrown away.
 */
enum cof_history_result
cof_history_courier_load(struct cof_history_courier *c,
			 const struct cof_history_id *id, uint64_t wait_ns,
			 struct cof_history_past *past,
			 char why[COF_HISTORY_WHY]);

/*
 * Hand over a record to be saved; *record is empty afterwards. One that still
 * waits to be saved is replaced by it: it was of the same run. Waits for at
 * most wait_ns, which may be 0, for it to be done; BUSY: it is not yet.
 */
enum cof_history_result
cof_history_courier_save(struct cof_history_courier *c,
			 struct cof_history_record *record, uint64_t wait_ns,
			 char why[COF_HISTORY_WHY]);

/* What came of the last save that is done: OK until there was one. */
enum cof_history_result
cof_history_courier_result(struct cof_history_courier *c,
			   char why[COF_HISTORY_WHY]);

/* No more errands. It ends by itself, after the one it is on and a save that
 * waits. NULL is fine. Not in a fork's child: there is no thread there. */
void cof_history_courier_leave(struct cof_history_courier *c);

#endif /* COF_HISTORY_STORE_COURIER_H */
