/*
 * address_record.h - where an executable has what its joined bitcode names
 *
 * What is local to a piece may have another name in the joined bitcode. So its
 * address goes along as metadata.
 */
#pragma once

#include <string>

#include <llvm/IR/Module.h>

extern "C" {
#include "resolve/resolution.h"
}

/* Note the addresses of what is local, before the piece is linked in. */
void cofl_address_record_attach(llvm::Module &piece,
				const struct cofl_piece_decisions &decisions);

/* Drop them again. */
void cofl_address_record_detach(llvm::Module &joined);

/* The bytes of a record of kind COFL_RECORD_ADDRESSES. The addresses are still
 * attached. */
std::string cofl_address_record_make(llvm::Module &joined,
				     const struct cofl_resolution &resolution);
