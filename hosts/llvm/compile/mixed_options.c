/*
 * mixed_options.c - see mixed_options.h
 */
#include "compile/mixed_options.h"

#include <stdbool.h>
#include <string.h>

#include "ir/attribute.h"

/* AVX-512 has fused operations too. */
static bool has_fma(LLVMValueRef f)
{
	static const char name[] = "target-features";
	LLVMAttributeRef features = LLVMGetStringAttributeAtIndex(
		f, LLVMAttributeFunctionIndex, name, sizeof(name) - 1);
	unsigned n;
	const char *words = features != NULL ?
			    LLVMGetStringAttributeValue(features, &n) : NULL;

	return words != NULL && (memmem(words, n, "+fma", 4) != NULL ||
				 memmem(words, n, "+avx512f", 8) != NULL);
}

/* llvm.fmuladd: one operation where the processor has it. */
static bool is_open(LLVMValueRef i)
{
	static const char name[] = "llvm.fmuladd";
	LLVMValueRef f = LLVMIsACallInst(i) != NULL ? LLVMGetCalledValue(i) :
						      NULL;

	return f != NULL && LLVMIsAFunction(f) != NULL &&
	       LLVMGetIntrinsicID(f) ==
	       LLVMLookupIntrinsicID(name, sizeof(name) - 1);
}

static LLVMValueRef with_flags(LLVMValueRef made, LLVMValueRef of)
{
	if (LLVMIsAInstruction(made) != NULL)
		LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(of));
	return made;
}

static void split(LLVMBuilderRef b, LLVMValueRef i)
{
	LLVMValueRef product, sum;

	LLVMPositionBuilderBefore(b, i);
	product = with_flags(LLVMBuildFMul(b, LLVMGetOperand(i, 0),
					   LLVMGetOperand(i, 1), ""), i);
	sum = with_flags(LLVMBuildFAdd(b, product, LLVMGetOperand(i, 2), ""),
			 i);
	LLVMReplaceAllUsesWith(i, sum);
	LLVMInstructionEraseFromParent(i);
}

static void split_all(LLVMValueRef f, LLVMBuilderRef builder)
{
	LLVMValueRef next;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = next) {
			next = LLVMGetNextInstruction(i);
			if (is_open(i))
				split(builder, i);
		}
}

static bool has_body(LLVMValueRef f)
{
	return LLVMGetFirstBasicBlock(f) != NULL;
}

void cofl_mixed_options_agree(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	bool no_red_zone = false, fma = false;
	LLVMValueRef f;

	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		no_red_zone |= cofl_attribute_has(f, "noredzone");
		fma |= has_body(f) && has_fma(f);
	}
	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		if (no_red_zone && has_body(f))
			cofl_attribute_add(f, "noredzone");
		if (fma && has_body(f) && !has_fma(f))
			split_all(f, builder);
	}
	LLVMDisposeBuilder(builder);
}
