/*
 * own_frames.h - functions that ask for their own frame, or for their caller
 *
 * They mean what these are natively: a collector scans the stack of its callers
 * from __builtin_frame_address(0) up, and an allocator tells its callers apart
 * by __builtin_return_address(0). In the joined bitcode a compiler could inline
 * them into a function of another file, or take two calls for one.
 */
#pragma once

#include <llvm/IR/Module.h>

/* They stay apart, and are called each time. */
void cofl_own_frames_keep(llvm::Module &joined);
