/*
 * native.h - libcof-native.so: the host of a program that runs by itself
 *
 *	cof-preload  --opens-->  native.c
 *	executable.h             what cof-cc left in the executable
 *	names.h                  what names in its bitcode mean here
 *	methods.h, entry.h       its functions as methods
 *	unwind_tables.h          what unwinders find
 *	libc.h                   what this namespace shares
 *	namespace_malloc.h       and what not
 */
#pragma once

#include "preload/services.h"

cofl_native_open_fn cofl_native_open;
