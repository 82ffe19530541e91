/*
 * effects.h - what a compiler inferred that functions do to memory
 */
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>

/* Forget it of these functions and of all that call them: they were changed,
 * and do more than it says. The callers are in the set afterwards. */
void cofl_effects_forget(llvm::SetVector<llvm::Function *> &changed);
