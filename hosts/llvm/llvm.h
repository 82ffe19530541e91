/*
 * llvm.h - the module's one symbol, and what its parts share about names
 */
#ifndef COFL_LLVM_H
#define COFL_LLVM_H

#include <llvm-c/Core.h>

#include "module.h"

extern const struct cofl_module cofl_module_llvm;

/* The function that resolves an ifunc. */
LLVMValueRef cofl_llvm_resolver(LLVMValueRef ifunc);

#endif /* COFL_LLVM_H */
