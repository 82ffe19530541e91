/*
 * llvm.h - the module's one symbol
 */
#ifndef COFL_LLVM_H
#define COFL_LLVM_H

#include "module.h"

extern const struct cofl_module cofl_module_llvm;

#endif /* COFL_LLVM_H */
