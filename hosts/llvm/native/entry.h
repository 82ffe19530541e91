/*
 * entry.h - redirect the entry of a native function, and take that back
 *
 *	entry-16  cc cc ... cc                  prefix
 *	entry-5   e9 rel32       jmp to         written first
 *	entry     eb f9          jmp entry-5    then this
 *
 * cof-cc leaves the prefix, and a first instruction of two bytes at least
 * (support/addresses.h, COFL_ADDRESS_PATCHABLE).
 *
 * A thread that runs there finds old bytes or new ones (native/text_page.h);
 * both are right.
 *
 * Thread: one at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* False: out of reach of `to`, or the kernel refuses; nothing is changed that
 * anybody runs. */
bool cofl_entry_redirect(uintptr_t entry, uintptr_t to);

/*
 * The entry is as it was: `first` has the first COFL_ENTRY_BYTES of the
 * function. The jump before it stays, because a thread may be about to run it:
 * `to` has to lead to code of the function's for good. False: the kernel
 * refuses, and nothing is changed.
 */
#define COFL_ENTRY_BYTES 2u
bool cofl_entry_restore(uintptr_t entry, const void *first);

/* Bytes of the code that stands for a function's own, redirected, entry. */
#define COFL_ENTRY_COPY_BYTES 32u

/* Write to `write`, which runs at `run`, the first instruction of the function,
 * of `first_bytes`, and a jump behind it. */
bool cofl_entry_copy(uintptr_t entry, uint32_t first_bytes, void *write,
		     uintptr_t run);
