/*
 * split.h - a block becomes two
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <llvm-c/Core.h>

#include "ir/clone.h"

/*
 * Cut a block before `at`: what was before it goes to a new block, without a
 * terminator, that takes the old one's place. Returns that.
 */
LLVMBasicBlockRef cofl_split(struct cofl_clone *unit, LLVMValueRef at);
