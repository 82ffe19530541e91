/*
 * llvm.h - the module's one symbol
 */
#pragma once

#include "program/module.h"

extern const struct cofl_module cofl_module_llvm;
