/*
 * unwind_tables.h - what unwinders of the program find of libcof's code
 *
 * Unwinders ask the dynamic linker for the tables of an address
 * (_dl_find_object(3)); libcof-preload.so asks here first.
 */
#pragma once

#include <link.h>
#include <stdbool.h>

/* Async-signal-safe. The result holds while the version does. */
bool cofl_unwind_tables_find(const void *pc, struct dl_find_object *found);
