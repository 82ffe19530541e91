/*
 * sink.h - addresses are computed where they are used
 *
 *	p = base + 24              loop:
 *	loop:                          p = base + 24
 *	    load p                     load p
 *
 * The program's compiler hoists base + 24 out of loops, and code generators fold
 * it back into the load. They cannot if a point in the loop's header
 * (points/osr_point.c) stores what is live there: then the sum has to be in a
 * register or on the stack all the time, which made a fifth more instructions
 * of SQLite's descent into a B-tree. A sum that is computed where it is used is
 * not live at headers; only base is.
 *
 * The same body comes out the same in every copy, so OSR entries
 * (points/osr_entry.h) agree.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C"
#endif
/* A body that was just read. */
void cofl_sink(LLVMValueRef f);
