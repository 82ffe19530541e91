/*
 * handlers.h - which functions of a program handle signals
 */
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Module.h>

/* Those with a body that are given to signal(3), sigaction(2) or their like,
 * directly, in memory that the caller fills in, or by way of other functions'
 * parameters. */
llvm::SetVector<llvm::Function *> cofl_handlers_find(llvm::Module &joined);
