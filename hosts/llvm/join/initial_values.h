/*
 * initial_values.h - what variables of a program hold at its start
 *
 * The executable has them. What is built anew is told of those that are
 * constant alone; but each thread that builds would read all of them first.
 */
#pragma once

#include <llvm/IR/Module.h>

/* Variables that may change are zero from now on, but for those with addresses
 * of labels: their functions are left alone (module/llvm.c). */
void cofl_initial_values_forget(llvm::Module &joined);
