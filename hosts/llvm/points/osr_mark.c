/*
 * osr_mark.c - see osr_mark.h
 */
#include "points/osr_mark.h"

#include <stdlib.h>

#include <llvm-c/Target.h>

#include "ir/copy.h"
#include "ir/instruction.h"
#include "support/fatal.h"
#include "support/xcalloc.h"

/* -- Marks ----------------------------------------------------------------- */

static LLVMTypeRef mark_type(struct cofl_clone *unit)
{
	LLVMTypeRef params[2] = {
		LLVMInt32TypeInContext(unit->copy->context),
		cofl_clone_pointer(unit) };

	return LLVMFunctionType(LLVMVoidTypeInContext(unit->copy->context),
				params, 2, 1);
}

static LLVMBasicBlockRef block_in_clone(const struct cofl_clone *unit,
					LLVMBasicBlockRef block)
{
	return LLVMValueAsBasicBlock(cofl_map_get(
		unit->values, LLVMBasicBlockAsValue(block)));
}

/* The blockaddresses in this clone, in the order of targets. */
static LLVMValueRef add_labels(struct cofl_clone *unit, LLVMValueRef to)
{
	const struct cofl_osr_entries *osr = unit->osr;
	LLVMTypeRef ptr = cofl_clone_pointer(unit);
	LLVMValueRef *label, table;
	uint32_t n = osr->n_targets;

	if (n == 0)
		return LLVMConstNull(ptr);
	label = cofl_xcalloc(n, sizeof(LLVMValueRef));
	for (uint32_t i = 0; i < n; i++)
		label[i] = LLVMBlockAddress(
			to, block_in_clone(unit, osr->target[i]));
	table = LLVMAddGlobal(unit->module, LLVMArrayType2(ptr, n),
			      "cof.osr.labels");
	LLVMSetInitializer(table, LLVMConstArray2(ptr, label, n));
	LLVMSetGlobalConstant(table, 1);
	LLVMSetLinkage(table, LLVMInternalLinkage);
	free(label);
	return table;
}

static void add_marks(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to)
{
	const struct cofl_osr_entries *osr = unit->osr;
	LLVMTypeRef type = mark_type(unit);
	LLVMValueRef mark = LLVMGetNamedFunction(unit->module, COFL_OSR_MARK);
	LLVMValueRef labels;

	if (osr == NULL || f != unit->osr_of)
		return;
	if (mark == NULL)
		mark = LLVMAddFunction(unit->module, COFL_OSR_MARK, type);
	labels = add_labels(unit, to);
	for (uint32_t k = 0; k < osr->loops.n_loops; k++) {
		const struct cofl_loop *loop = &osr->loops.loop[k];
		LLVMValueRef *arg, i;

		if (!osr->entry[k].possible)
			continue;
		arg = cofl_xcalloc(loop->n_live + 2, sizeof(LLVMValueRef));
		arg[0] = cofl_clone_i32(unit, k);
		arg[1] = labels;
		for (uint32_t v = 0; v < loop->n_live; v++)
			arg[2 + v] = cofl_map_get(unit->values, loop->live[v]);
		i = LLVMGetFirstInstruction(
			block_in_clone(unit, osr->loops.block[loop->header]));
		while (LLVMIsAPHINode(i))
			i = LLVMGetNextInstruction(i);
		LLVMPositionBuilderBefore(unit->copy->builder, i);
		LLVMBuildCall2(unit->copy->builder, type, mark, arg,
			       loop->n_live + 2, "");
		free(arg);
	}
}

void cofl_osr_mark_forget(struct cofl_clone *unit)
{
	if (unit->osr != NULL)
		cofl_osr_entry_free(unit->osr);
	free(unit->osr);
	cofl_osr_points_free(unit->points);
	unit->hooks = NULL;
	unit->osr = NULL;
	unit->osr_of = NULL;
	unit->points = NULL;
	unit->osr_tail = false;
}

static const struct cofl_clone_hooks hooks = {
	.cloned = add_marks, .end = cofl_osr_mark_forget,
};

static struct cofl_osr_points *new_points(const struct cofl_clone *unit)
{
	struct cofl_osr_points *points =
		cofl_osr_points_new(unit->osr->loops.n_loops, NULL);

	if (points == NULL)
		cofl_fatal("out of memory");
	return points;
}

void cofl_osr_mark_prepare(struct cofl_clone *unit, LLVMValueRef f, bool points)
{
	cofl_osr_mark_forget(unit);
	unit->osr = cofl_xcalloc(1, sizeof(*unit->osr));
	cofl_osr_entry_find(unit->osr, f,
			    LLVMGetModuleDataLayout(unit->copy->module));
	unit->osr_of = f;
	unit->hooks = &hooks;
	if (unit->osr->n_possible == 0)
		cofl_osr_mark_forget(unit);
	else if (points)
		unit->points = new_points(unit);
}

uint32_t cofl_osr_marks(const struct cofl_clone *unit, LLVMValueRef to,
			struct cofl_osr_mark *mark)
{
	LLVMValueRef f = LLVMGetNamedFunction(unit->module, COFL_OSR_MARK);
	uint32_t n = 0;

	for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u != NULL;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u);

		if (cofl_instruction_function(call) != to)
			continue;
		mark[n++] = (struct cofl_osr_mark){
			.call = call, .labels = LLVMGetOperand(call, 1),
			.loop = (uint32_t)LLVMConstIntGetZExtValue(
				LLVMGetOperand(call, 0)) };
	}
	return n;
}

/* -- The buffer ------------------------------------------------------------ */

LLVMValueRef cofl_osr_mark_buffer(struct cofl_clone *unit, LLVMValueRef to)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef type = LLVMArrayType2(
		LLVMInt8TypeInContext(unit->copy->context), unit->osr->bytes);
	LLVMValueRef buffer;

	if (unit->osr_tail)
		return LLVMGetParam(to, 0);
	LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(
					  LLVMGetEntryBasicBlock(to)));
	buffer = LLVMBuildAlloca(builder, type, "");
	LLVMSetAlignment(buffer, COFL_OSR_ENTRY_ALIGN);
	return buffer;
}

static void store(struct cofl_clone *unit, LLVMValueRef v, LLVMValueRef buffer,
		  uint32_t offset)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef i8 = LLVMInt8TypeInContext(unit->copy->context);
	LLVMValueRef at = cofl_clone_i32(unit, offset), to;

	to = LLVMBuildStore(builder, v,
			    LLVMBuildGEP2(builder, i8, buffer, &at, 1, ""));
	if (LLVMGetAlignment(to) > COFL_OSR_ENTRY_ALIGN)
		LLVMSetAlignment(to, COFL_OSR_ENTRY_ALIGN);
}

void cofl_osr_mark_leave(struct cofl_clone *unit, LLVMValueRef to,
			 const struct cofl_osr_mark *mark,
			 LLVMValueRef continuation, LLVMValueRef buffer)
{
	const struct cofl_osr_entries *osr = unit->osr;
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef p = cofl_clone_pointer(unit);
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(to));
	LLVMValueRef v;

	if (osr->n_targets != 0)
		store(unit, mark->labels, buffer, 0);
	for (uint32_t i = 0; i < osr->loops.loop[mark->loop].n_live; i++)
		store(unit, cofl_osr_mark_live(mark, i), buffer,
		      osr->entry[mark->loop].offset[i]);
	LLVMInstructionEraseFromParent(mark->call);
	v = LLVMBuildCall2(builder, LLVMFunctionType(result, &p, 1, 0),
			   continuation, &buffer, 1, "");
	if (unit->osr_tail)
		LLVMSetTailCallKind(v, LLVMTailCallKindMustTail);
	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(builder);
	else
		LLVMBuildRet(builder, v);
}
