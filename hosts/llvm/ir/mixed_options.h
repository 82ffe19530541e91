/*
 * mixed_options.h - bodies of files that were compiled with other options
 *
 * In each other they are to do what they do alone. LLVM's inliner sees to that,
 * but for
 *
 *	-mno-red-zone	if one body has it, all get it: its inline assembly may
 *			push where an inlining body keeps its variables
 *	no -mfma	a * b + c stays two operations, in a body with -mfma too
 *	no -ffast-math	there are NaNs and infinities, in a body with it too:
 *			its results may go where they are looked for
 *
 * It does not know what assembly does, either. A function with calls has no red
 * zone and an aligned stack. Assembly in it that pushes, or calls, needs both
 * when what it called is inlined.
 */
#pragma once

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Change the bodies of a module before one is inlined into another. */
void cofl_mixed_options_agree(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif
