/*
 * phi.h - a PHI made anew: C cannot change the blocks it comes from
 *
 * Thread: the holder of the copy's lock.
 */
#ifndef COFL_PHI_H
#define COFL_PHI_H

#include <llvm-c/Core.h>

/* From where does it come that came from block `from`? NULL: nowhere more. */
typedef LLVMBasicBlockRef cofl_phi_way(void *arg, LLVMBasicBlockRef from);

/* Put the new one in place of `phi`, which is erased. The builder goes there. */
LLVMValueRef cofl_phi_anew(LLVMBuilderRef builder, LLVMValueRef phi,
			   cofl_phi_way *way, void *arg);

#endif /* COFL_PHI_H */
