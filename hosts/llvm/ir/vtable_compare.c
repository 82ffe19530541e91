/*
 * vtable_compare.c - see vtable_compare.h
 */
#include "ir/vtable_compare.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/symbols.h"
#include "support/xcalloc.h"

/* As clang names the type of an object's pointer to its vtable. */
#define VTABLE_POINTER "vtable pointer"

struct changing {
	LLVMModuleRef module;
	LLVMTypeRef   i8;
	unsigned      tag, tbaa;
};

/* The load's type in memory: of an access tag (base, type, offset), the name of
 * the second. */
static bool loads_vtable_pointer(const struct changing *c, LLVMValueRef load)
{
	LLVMValueRef node = LLVMGetMetadata(load, c->tbaa), part[4], type[4];
	unsigned n = 0;
	const char *name;

	if (node == NULL || LLVMGetMDNodeNumOperands(node) < 3 ||
	    LLVMGetMDNodeNumOperands(node) > 4)
		return false;
	LLVMGetMDNodeOperands(node, part);
	if (part[1] == NULL || LLVMIsAMDNode(part[1]) == NULL ||
	    LLVMGetMDNodeNumOperands(part[1]) < 1 ||
	    LLVMGetMDNodeNumOperands(part[1]) > 4)
		return false;
	LLVMGetMDNodeOperands(part[1], type);
	name = type[0] != NULL && LLVMIsAMDString(type[0]) != NULL ?
	       LLVMGetMDString(type[0], &n) : NULL;
	return name != NULL && n == strlen(VTABLE_POINTER) &&
	       memcmp(name, VTABLE_POINTER, n) == 0;
}

static bool is_from_vtable(const struct changing *c, LLVMValueRef v)
{
	LLVMValueRef at;

	if (LLVMIsALoadInst(v) == NULL)
		return false;
	at = LLVMGetOperand(v, 0);
	if (LLVMIsAGetElementPtrInst(at) != NULL)
		at = LLVMGetOperand(at, 0);
	return LLVMIsALoadInst(at) != NULL && loads_vtable_pointer(c, at);
}

static LLVMValueRef slot_of(const struct changing *c, LLVMValueRef f)
{
	size_t n;
	const char *name = LLVMGetValueName2(f, &n);
	size_t bytes = sizeof(COFL_SYMBOL_SLOT) + n;
	char *of = cofl_xcalloc(bytes, 1);
	LLVMValueRef slot;

	snprintf(of, bytes, COFL_SYMBOL_SLOT "%s", name);
	slot = LLVMGetNamedGlobal(c->module, of);
	if (slot == NULL)
		slot = LLVMAddGlobal(c->module, c->i8, of);
	free(of);
	return slot;
}

static void change(const struct changing *c, LLVMValueRef compare)
{
	LLVMValueRef f;

	if (LLVMGetICmpPredicate(compare) != LLVMIntEQ ||
	    LLVMGetMetadata(compare, c->tag) != NULL)
		return;
	f = LLVMGetOperand(compare, 1);
	if (LLVMIsAFunction(f) != NULL &&
	    is_from_vtable(c, LLVMGetOperand(compare, 0)))
		LLVMSetOperand(compare, 1, slot_of(c, f));
}

void cofl_vtable_compare(LLVMModuleRef module, unsigned tag)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	struct changing c = {
		.module = module, .i8 = LLVMInt8TypeInContext(context),
		.tag = tag, .tbaa = LLVMGetMDKindIDInContext(context, "tbaa",
							     4),
	};

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
	     f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b);
			     i != NULL; i = LLVMGetNextInstruction(i))
				if (LLVMIsAICmpInst(i) != NULL)
					change(&c, i);
}
