/*
 * sink.h - addresses are computed where they are used
 *
 *	p = base + 24              loop:
 *	loop:                          p = base + 24
 *	    load p                     load p
 *
 * The program's compiler hoists base + 24 out of loops, and code generators fold it
 * back into the load. Not if a point in the loop's header (link/osr_points.h) stores what is
 * alive there: then it has to be in a register, or on the stack, all the time. Of
 * SQLite's descent into a B-tree that made a fifth more instructions. Computed
 * where it is used it is not alive at headers; only base is.
 *
 * The same body comes out the same in every copy, so gates (points/osr_entry.h) agree.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

/* A body that was just read; `builder` is moved. */
void cofl_sink(LLVMBuilderRef builder, LLVMValueRef f);
