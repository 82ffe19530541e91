/*
 * llvm_shim.h - what LLVM has in C++ and not in C
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

struct cofl_map;

#ifdef __cplusplus
extern "C" {
#endif

/* The number LLVM knows a function by in profiles: the first 8 bytes of the MD5
 * sum of its name, little-endian. Pure; any thread. */
uint64_t cofl_llvm_shim_guid(const char *name);

/* Have LLVM call `handler`, which does not return, where it gets no memory.
 * Once. */
void cofl_llvm_shim_out_of_memory(void (*handler)(const char *reason));

/* The block that a value which came from `from` comes from now; NULL: none. */
typedef LLVMBasicBlockRef cofl_llvm_shim_way(void *arg, LLVMBasicBlockRef from);

/* Change the blocks that a PHI's values come from. */
void cofl_llvm_shim_redirect(LLVMValueRef phi, cofl_llvm_shim_way *way,
			     void *arg);

/* Keep an instruction's result in a variable, stored where it is computed and
 * loaded at each use. Returns its address; NULL: nothing uses the result. */
LLVMValueRef cofl_llvm_shim_demote(LLVMValueRef value);

/* Cut a block before `at`. Returns a new block, without a terminator, that
 * takes the old one's place, with what was before `at`. */
LLVMBasicBlockRef cofl_llvm_shim_split(LLVMValueRef at);

/* End a block with assembly that goes on to block `go`, or jumps to `leave`. */
void cofl_llvm_shim_callbr(LLVMBasicBlockRef at, const char *text,
			   const char *constraints, LLVMValueRef operand,
			   LLVMBasicBlockRef go, LLVMBasicBlockRef leave);

/* Put into `reached` block `from` and all blocks that control comes to from
 * it. */
void cofl_llvm_shim_reach(LLVMBasicBlockRef from, struct cofl_map *reached);

/* Function `to` gets the attributes and the calling convention of `from`. */
void cofl_llvm_shim_attributes(LLVMValueRef from, LLVMValueRef to);

/* A constant array, structure, vector or expression like `like` with n other
 * operands. */
LLVMValueRef cofl_llvm_shim_constant(LLVMValueRef like, LLVMValueRef *op,
				     unsigned n);

/* Where code is optimized for speed, its loops begin at cache lines, as in the
 * executable (COFL_LINKAGE_LOOP_BYTES). */
void cofl_llvm_shim_align_loops(LLVMTargetMachineRef machine);

#ifdef __cplusplus
}
#endif
