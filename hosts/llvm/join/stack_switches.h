/*
 * stack_switches.h - programs whose functions go on on another thread
 *
 * A fiber may go on on another thread behind a call that switches stacks. There
 * its thread-local variables are others. A compiler takes their addresses once
 * for a function, so programs have them from a function of another file, which
 * it cannot look into. In the joined bitcode it could: it would see that the
 * function gives the same each time, or inline it.
 */
#pragma once

#include <llvm/IR/Module.h>

/* If the program switches stacks by functions that are known for it: functions
 * that use thread-local variables stay apart, and are called each time. */
void cofl_stack_switches_keep(llvm::Module &joined);
