/*
 * plugin_incbin.h - files that assembly includes
 *
 * Module-level assembly is assembled again at run time, in another folder and
 * when the files have changed.
 */
#pragma once

#include <llvm/IR/Module.h>

/* Put the contents of files into module-level assembly, in place of .incbin. */
void plugin_incbin_replace(llvm::Module &module);

/* Does assembly in the module, or in a function, still name a file? */
bool plugin_incbin_is_left(const llvm::Module &module);
