/*
 * handler_variables.h - what signal handlers share with the rest of the program
 *
 * A plain variable that a handler sets is read anew after each call of another
 * file's function, natively: a compiler does not know what that does. Once the
 * call is inlined, LLVM may read the variable once for a whole loop, and the
 * loop does not end. So what is set in handlers is read, and what is read in
 * handlers is set, exactly where the bitcode says.
 *
 * Handlers are found by the calls of signal(3), sigaction(2) and their like,
 * also if a function passes on what it is given. Of what they do, the callees
 * two calls away count, and variables that have a place in the program.
 */
#pragma once

#include <llvm/IR/Module.h>

void cofl_handler_variables_keep(llvm::Module &joined);
