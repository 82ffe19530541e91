/*
 * assembly_text.h - what the text of a function's inline assembly does
 *
 * A rebuilt function has a copy of the text, which must not take a name from
 * the executable's.
 */
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>

/* Does it define a name that others may know, or go to another section?
 * Numbers, and names that are drawn for each copy, are its own. */
bool cofl_assembly_defines(llvm::StringRef text);

/* Is one of these names a word of it? */
bool cofl_assembly_names(llvm::StringRef text, const llvm::StringSet<> &names);
