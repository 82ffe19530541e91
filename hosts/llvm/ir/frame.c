/*
 * frame.c - see frame.h
 */
#include "ir/frame.h"

#include <stdint.h>

#include <llvm-c/Target.h>

#include "ir/attribute.h"
#include "ir/instruction.h"
#include "support/tuning.h"

/* Saturates. Of what is no variable, or has no constant size, 0. */
static uint64_t variable_bytes(LLVMTargetDataRef layout, LLVMValueRef i)
{
	LLVMValueRef count;
	uint64_t one, n;

	if (!LLVMIsAAllocaInst(i))
		return 0;
	count = LLVMGetOperand(i, 0);
	if (!LLVMIsAConstantInt(count))
		return 0;
	one = LLVMABISizeOfType(layout, LLVMGetAllocatedType(i));
	n = LLVMConstIntGetZExtValue(count);
	return n != 0 && one > UINT32_MAX / n ? UINT32_MAX : one * n;
}

/* A compiler puts what lasts as long as the call into the first block. */
static uint64_t frame_bytes(LLVMValueRef f)
{
	LLVMTargetDataRef layout =
		LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
	uint64_t all = 0;

	for (LLVMValueRef i = LLVMGetFirstInstruction(
		     LLVMGetEntryBasicBlock(f));
	     i != NULL; i = LLVMGetNextInstruction(i))
		all += variable_bytes(layout, i);
	return all;
}

void cofl_frame_keep_apart(LLVMValueRef f)
{
	if (!cofl_attribute_has(f, "alwaysinline") &&
	    frame_bytes(f) > COFL_TUNE(inline_frame))
		cofl_attribute_forbid_inlining(f);
}

static bool is_call(LLVMValueRef i)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(i);

	return op == LLVMCall || op == LLVMInvoke;
}

/* Calls each() for every call in f. How many of them were true? */
static unsigned for_calls(LLVMValueRef f,
			  bool (*each)(void *arg, LLVMValueRef call), void *arg)
{
	unsigned n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			n += is_call(i) && each(arg, i);
	return n;
}

static bool calls(void *f, LLVMValueRef call)
{
	return LLVMGetCalledValue(call) == (LLVMValueRef)f;
}

struct keeping {
	bool (*is_small)(void *arg, LLVMValueRef callee);
	void  *arg;
};

static bool keep_call(void *arg, LLVMValueRef call)
{
	const struct keeping *k = arg;
	LLVMValueRef callee = LLVMGetCalledValue(call);
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(callee));

	if (k->is_small(k->arg, callee))
		return false;
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
				 LLVMCreateEnumAttribute(
					 context,
					 cofl_attribute_kind("noinline"), 0));
	return true;
}

bool cofl_frame_keep_calls(LLVMValueRef f,
			   bool (*is_small)(void *arg, LLVMValueRef callee),
			   void *arg)
{
	struct keeping k = { is_small, arg };

	return cofl_instruction_count(f) <= COFL_TUNE(inline_recursion) &&
	       for_calls(f, calls, f) > 0 && for_calls(f, keep_call, &k) > 0;
}

static bool is_kept(void *unused, LLVMValueRef call)
{
	(void)unused;
	return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex,
					    cofl_attribute_kind("noinline")) !=
	       NULL;
}

bool cofl_frame_keeps_calls(LLVMValueRef f)
{
	return for_calls(f, is_kept, NULL) > 0;
}
