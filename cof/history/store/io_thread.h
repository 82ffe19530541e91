/*
 * io_thread.h - the history's I/O thread, so that no other one calls the store
 *
 *	cof_start()            I/O thread             store
 *	new ----------------->  thread: private file table
 *	want_past, wait ----->  open, load, close     <-- at most wait_ns
 *	save ---------------->  open, save, close
 *	save, wait, leave --->  open, save, close     <-- at most wait_ns
 *	                        ends              <-- at most wait_ns
 *
 * A file may be on a disk that sleeps or a server that is gone. So a caller
 * waits for the thread, and for its end, no longer than it chooses to. The
 * thread shares nothing with an instance. Thread and owner hold the record, and
 * the last of them to go frees it.
 *
 * The thread has a file table of its own, so its files take no descriptor
 * number that the program is about to get.
 *
 * Thread: any, unless a function says otherwise; one at a time for a record.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "history/store/store.h"

struct cof_history_io_thread;

/* Make the thread. `where` is copied. NULL: no memory or no more threads. */
struct cof_history_io_thread *
cof_history_io_thread_new(const char *where,
			  const struct cof_history_limits *limits);

/*
 * Load the past of `id`, and wait for it for at most wait_ns. OK: *past is the
 * caller's. BUSY: it did not come in time; what comes later is thrown away.
 */
enum cof_history_result
cof_history_io_thread_load(struct cof_history_io_thread *c,
			   const struct cof_history_id *id, uint64_t wait_ns,
			   struct cof_history_past *past,
			   char why[COF_HISTORY_WHY]);

/*
 * Hand over a record to be saved; *record is empty afterwards. It replaces one
 * that still waits to be saved, which was of the same run. Waits for at most
 * wait_ns, which may be 0. BUSY: it is not saved yet.
 */
enum cof_history_result
cof_history_io_thread_save(struct cof_history_io_thread *c,
			   struct cof_history_record *record, uint64_t wait_ns,
			   char why[COF_HISTORY_WHY]);

/* The result of the last save that is done; OK until there was one. */
enum cof_history_result
cof_history_io_thread_result(struct cof_history_io_thread *c,
			     char why[COF_HISTORY_WHY]);

/* No more requests. The thread ends after its current request and a save that
 * waits; this waits for that for at most wait_ns, which may be 0. NULL is fine.
 * Not in a fork's child, which has no such thread. */
void cof_history_io_thread_leave(struct cof_history_io_thread *c,
				 uint64_t wait_ns);

/*
 * In a fork's child, before it has such a thread: was one at the store when the
 * process forked? Then the store's library is as that thread left it, and this
 * process may not use it.
 */
bool cof_history_io_thread_is_lost(void);
