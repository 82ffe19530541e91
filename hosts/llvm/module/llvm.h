/*
 * llvm.h - the only symbol that libcof-llvm.so exports
 */
#pragma once

#include "program/module.h"

extern const struct cofl_module cofl_module_llvm;
