/*
 * fastisel_prepare.c - see fastisel_prepare.h
 */
#include "compile/fastisel_prepare.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "ir/copy.h"
#include "ir/llvm_shim.h"
#include "points/osr_entry.h"

/* -- Logical and, or ------------------------------------------------------- */

static bool is_bit(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
	       LLVMGetIntTypeWidth(type) == 1;
}

static bool is_constant(LLVMValueRef v, unsigned long long value)
{
	return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == value;
}

/*
 * A select evaluates one of its values; or, and evaluate both operands, hence
 * the freeze. They work on bytes, since x86 has no smaller registers. NULL: the
 * select is something else.
 */
static LLVMValueRef logical(LLVMBuilderRef builder, LLVMValueRef select)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(
		LLVMGetTypeContext(LLVMTypeOf(select)));
	LLVMValueRef a = LLVMGetOperand(select, 0);
	LLVMValueRef yes = LLVMGetOperand(select, 1);
	LLVMValueRef no = LLVMGetOperand(select, 2), b;
	bool is_or;

	if (!is_bit(select) || !is_bit(a))
		return NULL;
	is_or = is_constant(yes, 1);
	if (!is_or && !is_constant(no, 0))
		return NULL;
	b = LLVMBuildZExt(builder, is_or ? no : yes, byte, "");
	b = LLVMBuildFreeze(builder, b, "");
	a = LLVMBuildZExt(builder, a, byte, "");
	b = LLVMBuildBinOp(builder, is_or ? LLVMOr : LLVMAnd, a, b, "");
	return LLVMBuildTrunc(builder, b, LLVMTypeOf(select), "");
}

/* -- Least, most ----------------------------------------------------------- */

static const struct {
	const char      *name;
	LLVMIntPredicate first;		/* the first operand is the result */
} extremes[] = {
	{ "llvm.smin.", LLVMIntSLT }, { "llvm.smax.", LLVMIntSGT },
	{ "llvm.umin.", LLVMIntULT }, { "llvm.umax.", LLVMIntUGT },
};

static bool is_word(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	unsigned n;

	if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
		return false;
	n = LLVMGetIntTypeWidth(type);
	return n == 32 || n == 64;
}

/* Freeze the operands: an undefined one could have one value in the comparison
 * and another in the select. */
static LLVMValueRef extreme(LLVMBuilderRef builder, LLVMValueRef call)
{
	const char *name = cofl_osr_entry_callee_name(call);
	LLVMValueRef a, b;

	if (name == NULL || strncmp(name, "llvm.", 5) != 0 || !is_word(call))
		return NULL;
	for (size_t i = 0; i < sizeof(extremes) / sizeof(*extremes); i++) {
		if (strncmp(name, extremes[i].name,
			    strlen(extremes[i].name)) != 0)
			continue;
		a = LLVMBuildFreeze(builder, LLVMGetOperand(call, 0), "");
		b = LLVMBuildFreeze(builder, LLVMGetOperand(call, 1), "");
		return LLVMBuildSelect(builder, LLVMBuildICmp(
			builder, extremes[i].first, a, b, ""), a, b, "");
	}
	return NULL;
}

/* -- All of it ------------------------------------------------------------- */

static void rewrite(LLVMBuilderRef builder, LLVMValueRef i)
{
	LLVMValueRef other = NULL;

	LLVMPositionBuilderBefore(builder, i);
	if (LLVMIsASelectInst(i))
		other = logical(builder, i);
	else if (LLVMIsACallInst(i))
		other = extreme(builder, i);
	if (other == NULL)
		return;
	LLVMReplaceAllUsesWith(i, other);
	LLVMInstructionEraseFromParent(i);
}

void cofl_fastisel_prepare(struct cofl_clone *unit, LLVMValueRef to)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef i, next;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(to); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

		for (i = LLVMGetFirstInstruction(b); i != NULL; i = next) {
			next = LLVMGetNextInstruction(i);
			rewrite(builder, i);
		}
		if (LLVMIsASwitchInst(end) &&
		    LLVMGetFirstInstruction(b) != end) {
			LLVMPositionBuilderAtEnd(builder,
						 cofl_llvm_shim_split(end));
			LLVMBuildBr(builder, b);
		}
	}
}
