/*
 * unwind.h - step out of JIT code by its unwind tables, in a signal handler
 *
 * Thread: any, at once; cof_unwind_step() is async-signal-safe.
 *
 * Plain local unwinding does not work in a handler. For a pc without dynamic
 * info, libunwind calls dl_iterate_phdr(3), which takes the loader's lock, and
 * its loads are unchecked. And no element may leave its list of dynamic info
 * while a handler walks the list. So libunwind is used as for another process
 * (unw_init_remote), with find_proc_info and access_mem of our own: it
 * interprets the CFI, and no more.
 *
 * In the handler libunwind still locks its pools. It blocks all signals
 * meanwhile, so a handler never meets the lock on its own thread. That costs
 * some system calls a frame, a few microseconds.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cof_frame;

/*
 * Open libunwind. Repeated calls do no harm. May block on the loader's lock.
 * False: there is no libunwind, and stacks are walked by frame pointers alone.
 */
bool cof_unwind_open(void);

/*
 * The code in [start, end) has this .eh_frame (LSB core specification, 10.6),
 * which is at its run-time address, within 2 GiB of the code. It is copied. The
 * code must stay until cof_unwind_remove(start), which the caller may call once
 * no thread can be inside the code. It need not wait for handlers.
 *
 * Errors: -COF_E_INVAL (malformed, too far away, overlaps), -COF_E_NOMEM,
 * -COF_E_STATE (no libunwind).
 */
int  cof_unwind_add(const void *start, const void *end, const void *eh_frame,
		    size_t bytes);
void cof_unwind_remove(const void *start);

/*
 * Step to the caller. `call`: f->pc is a return address. Loads from the stack
 * are in [f->sp, hi). Returns 1; 0: there is no table for this pc; -1: the
 * table leads nowhere.
 */
int  cof_unwind_step(struct cof_frame *f, bool call, uint64_t hi);

/*
 * For api/fork_hooks.c, in the child: make the lock anew. `walked`: another
 * thread was inside libunwind, whose locks may stay held in the child. Then, or
 * if libunwind was just being loaded, the child walks stacks by frame pointers
 * alone.
 */
void cof_unwind_in_child(bool walked);
