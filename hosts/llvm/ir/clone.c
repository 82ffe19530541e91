/*
 * clone.c - clone bodies; see clone.h
 */
#include "ir/clone.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "ir/attribute.h"
#include "ir/blockaddress.h"
#include "ir/copy.h"
#include "ir/llvm_shim.h"

void cofl_clone_init(struct cofl_clone *unit, struct cofl_copy *copy,
		    const char *name)
{
	*unit = (struct cofl_clone){ .copy = copy,
				     .local.size = sizeof(LLVMValueRef) };
	unit->module = LLVMModuleCreateWithNameInContext(name, copy->context);
	LLVMSetTarget(unit->module, LLVMGetTarget(copy->module));
	LLVMSetDataLayout(unit->module, LLVMGetDataLayoutStr(copy->module));
}

LLVMModuleRef cofl_clone_take(struct cofl_clone *unit)
{
	LLVMModuleRef module = unit->module;

	cofl_map_free(&unit->constants);
	if (unit->hooks != NULL)
		unit->hooks->end(unit);
	cofl_list_free(&unit->local);
	unit->module = NULL;
	return module;
}

void cofl_clone_dispose(struct cofl_clone *unit)
{
	LLVMModuleRef module = cofl_clone_take(unit);

	if (module != NULL)
		cofl_copy_drop(unit->copy, module);
}

LLVMTypeRef cofl_clone_pointer(const struct cofl_clone *unit)
{
	return LLVMPointerTypeInContext(unit->copy->context, 0);
}

LLVMValueRef cofl_clone_i32(const struct cofl_clone *unit, uint32_t v)
{
	return LLVMConstInt(LLVMInt32TypeInContext(unit->copy->context), v, 0);
}

LLVMValueRef cofl_clone_address(const struct cofl_clone *unit, const void *p)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(unit->copy->context);

	return LLVMConstIntToPtr(LLVMConstInt(i64, (uintptr_t)p, 0),
				 cofl_clone_pointer(unit));
}

/* -- Bodies ---------------------------------------------------------------- */

static bool names_stack_pointer(LLVMValueRef inline_asm)
{
	size_t length;
	const char *text = LLVMGetInlineAsmAsmString(inline_asm, &length);

	return memmem(text, length, "sp", 2) != NULL;
}

static LLVMValueRef map_value(struct cofl_clone *unit, LLVMValueRef v)
{
	LLVMValueRef to = cofl_map_get(unit->values, v);

	if (to != NULL)
		return to;
	switch (LLVMGetValueKind(v)) {
	case LLVMInlineAsmValueKind:
		unit->moves_stack |= names_stack_pointer(v);
		return v;
	case LLVMMetadataAsValueValueKind:
		return v;
	default:
		return cofl_clone_constant(unit, v);
	}
}

static LLVMBasicBlockRef map_block(void *unit, LLVMBasicBlockRef b)
{
	return LLVMValueAsBasicBlock(cofl_map_get(
		((struct cofl_clone *)unit)->values, LLVMBasicBlockAsValue(b)));
}

/* The clones have the operands of `f` so far. */
static void clone_instructions(struct cofl_clone *unit, LLVMValueRef f,
			       unsigned callees_kind)
{
	LLVMBuilderRef builder = unit->copy->builder;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMBasicBlockRef to = LLVMAppendBasicBlockInContext(
			unit->copy->context, unit->to, "");

		cofl_map_put(unit->values, LLVMBasicBlockAsValue(b),
			     LLVMBasicBlockAsValue(to));
	}
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMPositionBuilderAtEnd(builder, map_block(unit, b));
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef to = LLVMInstructionClone(i);

			LLVMInsertIntoBuilder(builder, to);
			/* It names functions of the other module. */
			LLVMSetMetadata(to, callees_kind, NULL);
			cofl_map_put(unit->values, i, to);
		}
	}
}

/* Inline assembly may use the address of a function as a number, which LLVM
 * allows where it knows that the function is near. */
static void show_near(LLVMValueRef call)
{
	LLVMValueRef f;

	for (unsigned k = 0, n = LLVMGetNumArgOperands(call); k < n; k++) {
		f = LLVMGetOperand(call, k);
		if (LLVMIsAFunction(f) && LLVMIsDeclaration(f))
			LLVMSetVisibility(f, LLVMHiddenVisibility);
	}
}

static bool is_inline_asm(LLVMValueRef i)
{
	return (LLVMIsACallInst(i) || LLVMIsACallBrInst(i)) &&
	       LLVMIsAInlineAsm(LLVMGetCalledValue(i));
}

static void map_operands(struct cofl_clone *unit, LLVMValueRef to)
{
	unsigned n = (unsigned)LLVMGetNumOperands(to);

	for (unsigned k = 0; k < n; k++)
		LLVMSetOperand(to, k, map_value(unit, LLVMGetOperand(to, k)));
	if (LLVMIsAPHINode(to))
		cofl_llvm_shim_redirect(to, map_block, unit);
	if (is_inline_asm(to))
		show_near(to);
}

void cofl_clone_body(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to,
		    LLVMValueRef params)
{
	struct cofl_map values = { 0 };
	LLVMValueRef a, b;

	unit->values = &values;
	unit->from = f;
	unit->to = to;
	for (a = LLVMGetFirstParam(f), b = LLVMGetFirstParam(params); a != NULL;
	     a = LLVMGetNextParam(a), b = LLVMGetNextParam(b))
		cofl_map_put(&values, a, b);
	clone_instructions(unit, f, LLVMGetMDKindIDInContext(
				   unit->copy->context, "callees", 7));
	for (LLVMBasicBlockRef in = LLVMGetFirstBasicBlock(to); in != NULL;
	     in = LLVMGetNextBasicBlock(in))
		for (LLVMValueRef i = LLVMGetFirstInstruction(in); i != NULL;
		     i = LLVMGetNextInstruction(i))
			map_operands(unit, i);
	if (unit->hooks != NULL)
		unit->hooks->cloned(unit, f, to);
	cofl_map_free(&values);
	unit->values = NULL;
	unit->from = unit->to = NULL;
}

LLVMValueRef cofl_clone_function(struct cofl_clone *unit, LLVMValueRef f,
				const char *name, LLVMLinkage linkage)
{
	LLVMValueRef to = cofl_clone_declare(unit, f, name);

	if (LLVMHasPersonalityFn(f))
		LLVMSetPersonalityFn(to, cofl_clone_constant(
			unit, LLVMGetPersonalityFn(f)));
	cofl_clone_body(unit, f, to, to);
	/* It may have been declared before its body was read. */
	if (cofl_attribute_has(f, "noinline"))
		cofl_attribute_forbid_inlining(to);
	LLVMSetLinkage(to, linkage);
	return *unit->why ? NULL : to;
}

bool cofl_clone_locals(struct cofl_clone *unit)
{
	/* Each may add others. */
	for (size_t i = 0; i < unit->local.n; i++)
		if (cofl_clone_function(unit,
					((LLVMValueRef *)unit->local.at)[i],
					NULL, LLVMInternalLinkage) == NULL)
			return false;
	return true;
}
