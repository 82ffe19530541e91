/*
 * sink.h - addresses are computed where they are used
 *
 *	p = base + 24              loop:
 *	loop:                          p = base + 24
 *	    load p                     load p
 *
 * The program's compiler hoists base + 24 out of loops, and code generators
 * fold it back into the load. They cannot if a point in the loop's header
 * (points/osr_point.c) stores what is alive there: the sum then stays in a
 * register, or on the stack. SQLite's descent into a B-tree had a fifth more
 * instructions by that. Computed where it is used, the sum is not alive at
 * headers; only base is.
 *
 * A body comes out the same in every copy, so OSR entries (points/osr_entry.h)
 * agree.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C"
#endif
/* `f` is a body that was just read. */
void cofl_sink(LLVMValueRef f);
