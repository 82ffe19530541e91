/*
 * drop_pages.h - give back the memory of library code that is not used for now
 *
 * A library's code and constants are pages of its file. Touched pages count as
 * the process's memory until the kernel needs room. A dropped page comes back
 * from the page cache when it is touched again. Pages that differ from the file
 * (relocated ones, a debugger's breakpoints) stay.
 *
 * Thread: any; others may be using the pages.
 */
#pragma once

#include <stddef.h>

/* Drop pages of the loaded object that the address `inside` is in. Returns how
 * many bytes that gave back. */
size_t cofl_drop_pages_object(const void *inside);
