/*
 * drop_pages.h - give back pages of a library that is not used for now
 *
 * A library's code and constants are pages of its file. Those that were touched
 * count as the process's memory until the kernel needs room; dropped here they
 * come back from the page cache when they are next touched. Pages that differ
 * from the file (relocated ones, a debugger's breakpoints) stay.
 */
#pragma once

#include <stddef.h>

/* The pages of the loaded object that has `inside` in it. Returns how many bytes
 * were given back. Thread: any; others may be using the object. */
size_t cofl_drop_pages_object(const void *inside);

/* The same for [start, start + bytes), which is mapped and only read. */
size_t cofl_drop_pages_range(const void *start, size_t bytes);
