/*
 * blockaddress.h - do the addresses of a function's labels stay in it?
 *
 * A label's address belongs to one version of its function. Where a program
 * keeps it in memory for a later call (as protothreads and direct threading
 * do), a newer version would jump into the older one's code, with a frame of
 * another shape: such a function must have one version only.
 */
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "support/map.h"

/* The function of the first label that constant `c` has the address of; NULL:
 * there is none. */
LLVMValueRef cofl_blockaddress_owner(LLVMValueRef c);

static inline bool cofl_blockaddress_is_in(LLVMValueRef c)
{
	return cofl_blockaddress_owner(c) != NULL;
}

/* Does `f`, whose body is read, jump to labels at all? */
bool cofl_blockaddress_jumps(LLVMValueRef f);

/* Does it jump to labels that may come from another call of it? True where that
 * cannot be told. Thread: the holder of the copy's lock. */
bool cofl_blockaddress_escapes(LLVMValueRef f);

/* Put into `marked` every value of such a function, whose labels stay in it,
 * that may be a label's address or lead to one. */
void cofl_blockaddress_marks(LLVMValueRef f, struct cofl_map *marked);
