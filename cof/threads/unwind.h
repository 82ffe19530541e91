/*
 * unwind.h - step out of JIT code by its unwind tables, in a signal handler
 *
 * Any of these may be called together; step is async-signal-safe.
 *
 * Why not plain local unwinding: for a pc it has no dynamic info for, libunwind
 * calls dl_iterate_phdr(3), which takes the loader's lock, and its loads are
 * unchecked; and its list of dynamic info cannot lose an element while a
 * handler walks it. So libunwind is used as for another process
 * (unw_init_remote), with find_proc_info and access_mem our own: it interprets
 * the CFI and nothing else.
 *
 * What remains of libunwind in the handler: its pools, locked with all signals
 * blocked, so that a handler never meets the lock on its own thread. That costs
 * some system calls a frame, a few microseconds.
 */
#ifndef COF_THREADS_UNWIND_H
#define COF_THREADS_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof_frame;

/* Get libunwind; any number of times. False: there is none, stacks go by frame
 * pointers alone. */
bool cof_unwind_open(void);

/*
 * Code in [start, end) has this .eh_frame (LSB core specification, 10.6), at
 * its run-time address, within 2 GiB of the code. It is copied. The code must
 * stay until cof_unwind_remove(start), which may come once no thread can be
 * inside; no handler has to be waited for.
 *
 * Errors: -COF_E_INVAL (malformed, too far away, overlaps), -COF_E_NOMEM,
 * -COF_E_STATE (no libunwind).
 */
int  cof_unwind_add(const void *start, const void *end, const void *eh_frame,
		    size_t bytes);
void cof_unwind_remove(const void *start);

/*
 * To the caller. `call`: f->pc is a return address. Loads from the stack are in
 * [f->sp, hi). Returns 1; 0: no table for this pc; -1: the table leads nowhere.
 */
int  cof_unwind_step(struct cof_frame *f, bool call, uint64_t hi);

/*
 * api/fork_hooks.c, in the child. The lock is made anew. `walked`: another thread was
 * inside libunwind, which may hold its locks for good here; then, or if it was
 * just being loaded, stacks go by frame pointers alone in this process.
 */
void cof_unwind_in_child(bool walked);

#endif /* COF_THREADS_UNWIND_H */
