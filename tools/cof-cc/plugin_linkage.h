/*
 * plugin_linkage.h - assembly of section .debug.cof (support/linkage.h)
 */
#pragma once

#include <string>

#include <llvm/IR/Module.h>

#include "hosts/llvm/support/record.h"

/* The section for a module whose bitcode has this record. `integrated`: LLVM's
 * assembler reads it, which can name everything. */
std::string plugin_linkage(const llvm::Module &module,
			   const cofl_record &record, bool integrated);
