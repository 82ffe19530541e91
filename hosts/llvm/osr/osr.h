/*
 * osr.h - on-stack replacement: a loop goes on in newer code while it runs
 *
 *	old version's frame   point ---> continuation(live values)
 *	                                     ^ the loop, and all that follows
 *	                                     |
 *	                      inner loop's --+ where the outer one begins anew
 *
 * A continuation is made of the function's body as it stands in the program,
 * like every version. It begins behind the PHIs of a loop's header. The old
 * frame stays below it until it returns, so variables whose address is known
 * elsewhere stay where they are. The continuation of an inner loop ends where
 * an outer loop begins anew, and calls the outer one's. So each continuation
 * has its loops whole, as the optimizer needs them.
 *
 * Which loops? The points (link/osr_points.h) of all loops are armed for a
 * moment without a continuation, and the words count passes (osr_choose.h).
 *
 * Thread: the holder of the copy's lock, but for cofl_osr_run().
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "cofl.h"
#include "ir/clone.h"

/* -- Continuations --------------------------------------------------------- */

/* Declare a continuation of `f`. */
LLVMValueRef cofl_osr_declare(struct cofl_clone *unit, LLVMValueRef f,
			      const char *name);

/* Edit a body before it becomes a continuation: first a plain clone of it
 * (`cloned`), then the clone with its new entry block. */
typedef void cofl_osr_edit(void *arg, struct cofl_clone *unit, LLVMValueRef to,
			   bool cloned);

/*
 * Define `to`, a declared continuation: `f` from `loop` on. At the header of a
 * loop k with next[k] not NULL it goes on in that continuation.
 */
void cofl_osr_continue(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to,
		       uint32_t loop, LLVMValueRef *next, cofl_osr_edit *edit,
		       void *arg);

/* -- The job --------------------------------------------------------------- */

/* host.osr() */
int  cofl_osr_run(void *ctx, void *ir, void *version, enum cof_plan plan,
		  const int *stop, struct cof_version_desc *out);

/*
 * host.osr_try(): continuations that count their turns, and have points, also
 * with a profile. If `version` is one of these, it is their loops that the new
 * ones are of, too: frames are to go to and fro between them. No host caches
 * such code.
 */
int  cofl_osr_try(void *ctx, void *ir, void *version, enum cof_plan plan,
		  const int *stop, struct cof_version_desc *out);
