/*
 * plugin_entry.h - entries of functions that can be redirected while they run
 *
 *	16 times 0xcc | entry: an instruction of two bytes or more
 *	jmp rel32     | jmp to 5 bytes before		as redirected
 *
 * So a redirected function costs its callers two jumps, and one that is not
 * redirected costs nobody anything.
 */
#pragma once

#include <llvm/IR/Module.h>

/* Will this definition get such an entry? */
bool plugin_entry_is_patchable(const llvm::Function &f);

/* Give all these definitions theirs. The bitcode is written before that. */
void plugin_entry_add(llvm::Module &module);
