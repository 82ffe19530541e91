/*
 * frame.h - the frames of a recursion stay about as small as natively
 *
 * What is inlined has its variables in the caller's frame as long as the caller
 * runs. In a recursion of other files' functions,
 *
 *	walk() --> emit(), whose buffer has 900 bytes
 *	       --> next() --> walk()
 *
 * each level would then keep what natively only the innermost one has, and the
 * stack would end earlier than natively. A function that fills a large
 * buffer does not miss the few cycles of a call.
 */
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

/*
 * Forbid that the function is inlined if its variables in memory have more than
 * inline_frame bytes (support/tuning.def). One that always has to be is left as
 * it is. `f` is a body that was just read.
 */
void cofl_frame_keep_apart(LLVMValueRef f);

/*
 * If the function calls itself, forbid that what it calls is inlined there: a
 * level would save the registers that a callee needs. A compiler has inlined
 * what it would (docs/llvm.md). One with more than inline_recursion
 * instructions saves about all registers anyway. A callee that is_small()
 * needs next to none. `f` is a body that was just read. True: some call stays.
 */
bool cofl_frame_keep_calls(LLVMValueRef f,
			   bool (*is_small)(void *arg, LLVMValueRef callee),
			   void *arg);

/* Was it, in `f` or in what `f` is a clone of? */
bool cofl_frame_keeps_calls(LLVMValueRef f);
