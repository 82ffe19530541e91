/*
 * unwind_tables.h - what unwinders of the program find of libcof's code
 *
 * Unwinders ask the dynamic linker for the tables of an address
 * (_dl_find_object(3)), or for all objects (dl_iterate_phdr(3));
 * libcof-preload.so asks here too (process/unwinders.c).
 */
#pragma once

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * `eh_frame`: the .eh_frame section, in place, of the code in [start, start +
 * bytes). Thread: any that holds the loader's lock. A fork takes that lock too,
 * so a child never inherits it locked.
 */
void cofl_unwind_tables_add(void *eh_frame, const void *start, size_t bytes);

/* The same, which no thread is inside any more. */
void cofl_unwind_tables_remove(void *eh_frame);

/* Async-signal-safe. The result holds while the version does. */
bool cofl_unwind_tables_find(const void *pc, struct dl_find_object *found);

/* The first table whose code begins at `from` or behind. *changes: how often a
 * table came or went. The same rules. */
bool cofl_unwind_tables_next(const void *from, struct dl_find_object *found,
			     uint32_t *changes);
