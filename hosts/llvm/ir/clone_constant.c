/*
 * clone_constant.c - a unit's counterparts of the program's constants and names
 */
#include "ir/clone.h"

#include <stdio.h>
#include <stdlib.h>

#include <llvm-c/Target.h>

#include "ir/blockaddress.h"
#include "ir/copy.h"
#include "ir/llvm_shim.h"
#include "support/xcalloc.h"

/* The optimizer sees values of constants up to this size, and up to this many
 * pointers away from the code: tables of tables have no end. */
#define SHOWN_BYTES ((unsigned long long)64 << 10)
#define SHOWN_DEPTH 3

static LLVMValueRef map_constant(struct cofl_clone *unit, LLVMValueRef c,
				 int depth);

/* -- Declarations ---------------------------------------------------------- */

static const char *name_of(LLVMValueRef v)
{
	return LLVMGetValueName2(v, &(size_t){ 0 });
}

static LLVMValueRef add_function(struct cofl_clone *unit, LLVMValueRef f,
				 const char *name)
{
	LLVMValueRef to = LLVMAddFunction(unit->module, name,
					  LLVMGlobalGetValueType(f));

	cofl_llvm_shim_attributes(f, to);
	return to;
}

static bool is_local(LLVMValueRef v)
{
	LLVMLinkage linkage = LLVMGetLinkage(v);

	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static LLVMValueRef declare_function(struct cofl_clone *unit, LLVMValueRef f)
{
	LLVMValueRef to = cofl_map_get(&unit->constants, f);

	if (to != NULL)
		return to;
	/* Passes make such functions of parts of others. */
	if (unit->of_unit && is_local(f) && LLVMCountBasicBlocks(f) != 0)
		*(LLVMValueRef *)cofl_list_add(&unit->local, 1) = f;
	to = add_function(unit, f, name_of(f));
	if (LLVMGetLinkage(f) == LLVMExternalWeakLinkage)
		LLVMSetLinkage(to, LLVMExternalWeakLinkage);
	cofl_map_put(&unit->constants, f, to);
	return to;
}

static unsigned long long size_of(struct cofl_clone *unit, LLVMValueRef g)
{
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(unit->module);
	LLVMTypeRef type = LLVMGlobalGetValueType(g);

	return LLVMTypeIsSized(type) ? LLVMABISizeOfType(layout, type) : 0;
}

static LLVMValueRef add_global(struct cofl_clone *unit, LLVMValueRef g)
{
	LLVMValueRef to = LLVMAddGlobal(unit->module, LLVMGlobalGetValueType(g),
					name_of(g));

	LLVMSetAlignment(to, LLVMGetAlignment(g));
	LLVMSetGlobalConstant(to, LLVMIsGlobalConstant(g));
	LLVMSetUnnamedAddress(to, LLVMGetUnnamedAddress(g));
	/* The executable's are at a distance from the thread pointer. Code
	 * that uses a library's is not built (link/section_placement.c). */
	if (LLVMIsThreadLocal(g))
		LLVMSetThreadLocalMode(to, LLVMLocalExecTLSModel);
	return to;
}

/* A table of labels belongs to one body: of each clone of a function, for
 * example of each of its continuations, it is another. */
static LLVMValueRef declare_labels(struct cofl_clone *unit, LLVMValueRef table,
				   int depth)
{
	LLVMValueRef to = cofl_map_get(unit->values, table);

	if (to != NULL)
		return to;
	to = add_global(unit, table);
	cofl_map_put(unit->values, table, to);
	LLVMSetInitializer(to, map_constant(unit, LLVMGetInitializer(table),
					    depth));
	LLVMSetLinkage(to, LLVMInternalLinkage);
	return to;
}

static bool is_labels(LLVMValueRef g)
{
	LLVMValueRef value = LLVMGetInitializer(g);

	return LLVMIsGlobalConstant(g) && value != NULL &&
	       !LLVMIsThreadLocal(g) &&
	       LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage &&
	       cofl_blockaddress_is_in(value);
}

static LLVMValueRef declare_global(struct cofl_clone *unit, LLVMValueRef g,
				   int depth)
{
	LLVMValueRef to = cofl_map_get(&unit->constants, g);
	LLVMValueRef value = LLVMGetInitializer(g);

	if (to != NULL)
		return to;
	if (!unit->of_unit && is_labels(g))
		return declare_labels(unit, g, depth);
	to = add_global(unit, g);
	cofl_map_put(&unit->constants, g, to);
	if (unit->of_unit) {
		LLVMSetVisibility(to, LLVMGetVisibility(g));
		if (is_local(g) && value != NULL) {
			LLVMSetInitializer(to,
					   map_constant(unit, value, depth));
			LLVMSetLinkage(to, LLVMGetLinkage(g));
			return to;
		}
	}
	if (LLVMGetLinkage(g) == LLVMExternalWeakLinkage)
		LLVMSetLinkage(to, LLVMExternalWeakLinkage);
	if (LLVMIsDeclaration(g) || value == NULL || LLVMIsThreadLocal(g) ||
	    LLVMGetLinkage(g) == LLVMAvailableExternallyLinkage)
		return to;
	if (!unit->copy->globals_are_far && size_of(unit, g) < COFL_FAR_BYTES)
		LLVMSetVisibility(to, LLVMHiddenVisibility);
	if (unit->with_constants && LLVMIsGlobalConstant(g) &&
	    depth < SHOWN_DEPTH && size_of(unit, g) <= SHOWN_BYTES) {
		LLVMSetInitializer(to, map_constant(unit, value, depth + 1));
		LLVMSetLinkage(to, LLVMAvailableExternallyLinkage);
	}
	return to;
}

/* -- Constants ------------------------------------------------------------- */

/* A constant that mentions a label, or a table of them, is this body's only. */
static bool is_of_body(LLVMValueRef c)
{
	unsigned n;

	switch (LLVMGetValueKind(c)) {
	case LLVMBlockAddressValueKind:
		return true;
	case LLVMGlobalVariableValueKind:
		return is_labels(c);
	case LLVMConstantExprValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantVectorValueKind:
		n = (unsigned)LLVMGetNumOperands(c);
		for (unsigned i = 0; i < n; i++)
			if (is_of_body(LLVMGetOperand(c, i)))
				return true;
		return false;
	default:
		return false;
	}
}

static LLVMValueRef map_operands(struct cofl_clone *unit, LLVMValueRef c,
				 int depth)
{
	LLVMValueRef to = cofl_map_get(&unit->constants, c);
	unsigned n = (unsigned)LLVMGetNumOperands(c);
	LLVMValueRef *op;
	bool changed = false;

	if (to != NULL)
		return to;
	op = cofl_xcalloc(n, sizeof(LLVMValueRef));
	for (unsigned i = 0; i < n; i++) {
		LLVMValueRef from = LLVMGetOperand(c, i);

		op[i] = map_constant(unit, from, depth);
		changed |= op[i] != from;
	}
	to = changed ? cofl_llvm_shim_constant(c, op, n) : c;
	free(op);
	if (!is_of_body(c))
		cofl_map_put(&unit->constants, c, to);
	return to;
}

static LLVMValueRef map_label(struct cofl_clone *unit, LLVMValueRef c)
{
	LLVMValueRef f = LLVMGetBlockAddressFunction(c), block;

	if (f != unit->from) {
		if (*unit->why == '\0')
			snprintf(unit->why, sizeof(unit->why), "a label's "
				 "address outside its function, in %s",
				 name_of(f));
		return LLVMGetPoison(LLVMTypeOf(c));
	}
	block = cofl_map_get(unit->values, LLVMBasicBlockAsValue(
				     LLVMGetBlockAddressBasicBlock(c)));
	return LLVMBlockAddress(unit->to, LLVMValueAsBasicBlock(block));
}

static LLVMValueRef map_constant(struct cofl_clone *unit, LLVMValueRef c,
				 int depth)
{
	LLVMValueRef to;

	switch (LLVMGetValueKind(c)) {
	case LLVMFunctionValueKind:
		return declare_function(unit, c);
	case LLVMGlobalVariableValueKind:
		return declare_global(unit, c, depth);
	case LLVMGlobalAliasValueKind:
		return map_constant(unit, LLVMAliasGetAliasee(c), depth);
	case LLVMGlobalIFuncValueKind:
		to = cofl_map_get(&unit->constants, c);
		if (to == NULL) {
			to = LLVMAddFunction(unit->module, name_of(c),
					     LLVMGlobalGetValueType(c));
			cofl_map_put(&unit->constants, c, to);
		}
		return to;
	case LLVMBlockAddressValueKind:
		return map_label(unit, c);
	case LLVMConstantExprValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantVectorValueKind:
		return map_operands(unit, c, depth);
	default:
		return c;
	}
}

LLVMValueRef cofl_clone_constant(struct cofl_clone *unit, LLVMValueRef c)
{
	return map_constant(unit, c, 0);
}

LLVMValueRef cofl_clone_declare(struct cofl_clone *unit, LLVMValueRef f,
			       const char *name)
{
	return name ? add_function(unit, f, name) : declare_function(unit, f);
}
