/*
 * unwind_tables.h - have unwinders find the frames of code
 *
 * Where the program runs inside cof-llvm, libgcc's registry does it
 * (unwind_tables.c); where it runs by itself, what it is asked instead of the
 * dynamic linker (native/unwind_tables.c).
 *
 * Thread: any that holds the loader's lock. A fork takes that lock too, so a
 * child never inherits it locked.
 */
#pragma once

#include <stddef.h>

/* `eh_frame`: the .eh_frame section, in place, of the code in [start, start +
 * bytes). */
void cofl_unwind_tables_add(void *eh_frame, const void *start, size_t bytes);

/* The same, which no thread is inside any more. */
void cofl_unwind_tables_remove(void *eh_frame);
