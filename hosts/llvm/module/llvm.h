/*
 * llvm.h - the module's one symbol
 */
#ifndef COFL_MODULE_LLVM_H
#define COFL_MODULE_LLVM_H

#include "program/module.h"

extern const struct cofl_module cofl_module_llvm;

#endif /* COFL_MODULE_LLVM_H */
