/*
 * piece.h - give the names of one piece the meaning that the linker decided on
 */
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

extern "C" {
#include "resolve/resolution.h"
}

/* The module may be lazily loaded. An error of the reader is returned. */
llvm::Error cofl_piece_apply(llvm::Module &module,
			     const struct cofl_piece_decisions &decisions);
