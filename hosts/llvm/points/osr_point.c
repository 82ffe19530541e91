/*
 * osr_point.c - see osr_point.h
 */
#include "points/osr_point.h"

#include <stddef.h>
#include <stdlib.h>

#include "ir/attribute.h"
#include "ir/copy.h"
#include "ir/instruction.h"
#include "ir/llvm_shim.h"
#include "link/loader.h"
#include "link/process_words.h"
#include "points/osr_mark.h"
#include "points/osr_turns.h"
#include "points/process_words_ir.h"
#include "support/xcalloc.h"

/* The label of the record is a local one: the code may have copies of the
 * statement. */
static const char record[] =
	"771:\t.byte 0xa9\n"
	"\t.long ${1:l}-.-4\n"
	"\t.pushsection " COFL_OSR_POINTS_SECTION ",\"a\",@progbits\n"
	"\t.balign 4\n"
	"\t.long 771b-.\n"
	"\t.long ${0:c}\n"
	"\t.popsection";

/* The address of a field of the loop's word. */
static LLVMValueRef field(struct cofl_clone *unit, uint32_t loop, size_t offset)
{
	LLVMValueRef at = cofl_clone_i32(unit, (uint32_t)(
		loop * sizeof(struct cofl_word) + offset));

	return LLVMBuildGEP2(
		unit->copy->builder,
		LLVMInt8TypeInContext(unit->copy->context),
		cofl_process_words_ir_load(
			unit, cofl_clone_pointer(unit),
			offsetof(struct cofl_process_words, point), false),
		&at, 1, "");
}

/* Add one to *number where the builder stands. Races lose some. */
static void add_one(struct cofl_clone *unit, LLVMValueRef number)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(unit->copy->context);
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef n = LLVMBuildLoad2(builder, i64, number, "");

	n = LLVMBuildAdd(builder, n, LLVMConstInt(i64, 1, 0), "");
	LLVMBuildStore(builder, n, number);
}

static void add_point(struct cofl_clone *unit, LLVMValueRef to,
		      const struct cofl_osr_mark *mark, LLVMValueRef buffer,
		      const struct cofl_osr_turns *turns)
{
	LLVMContextRef c = unit->copy->context;
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef go, at;
	LLVMBasicBlockRef rest = LLVMGetInstructionParent(mark->call);
	LLVMBasicBlockRef head = cofl_llvm_shim_split(mark->call);
	LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(c, to, "");
	LLVMBasicBlockRef gone = LLVMAppendBasicBlockInContext(c, to, "");

	LLVMPositionBuilderAtEnd(builder, head);
	cofl_osr_turns_count(unit, turns);
	cofl_llvm_shim_callbr(head, record, "i,!i,~{dirflag},~{fpsr},~{flags}",
			      cofl_clone_i32(unit, mark->loop), rest, leave);

	LLVMPositionBuilderAtEnd(builder, leave);
	add_one(unit, field(unit, mark->loop,
			    offsetof(struct cofl_word, arrived)));
	/* Pairs with the release in cofl_osr_points_lead(). */
	at = field(unit, mark->loop, offsetof(struct cofl_word, go));
	go = LLVMBuildLoad2(builder, cofl_clone_pointer(unit), at, "");
	LLVMSetOrdering(go, LLVMAtomicOrderingAcquire);
	LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, go, ""), rest, gone);

	LLVMPositionBuilderAtEnd(builder, gone);
	cofl_osr_mark_leave(unit, to, mark, go, buffer);
}

static void finish(struct cofl_clone *unit, LLVMValueRef to)
{
	struct cofl_osr_mark *mark = cofl_xcalloc(unit->osr->loops.n_loops,
						  sizeof(*mark));
	uint32_t n = cofl_osr_marks(unit, to, mark);
	LLVMValueRef buffer = NULL;
	struct cofl_osr_turns turns = { 0 };
	LLVMBasicBlockRef header = NULL;

	if (unit->points != NULL && n > 0) {
		if (n == 1)
			header = LLVMGetInstructionParent(mark->call);
		turns = cofl_osr_turns_begin(unit, to, header);
		buffer = cofl_osr_mark_buffer(unit, to);
	}
	for (uint32_t i = 0; i < n; i++)
		if (unit->points != NULL)
			add_point(unit, to, &mark[i], buffer, &turns);
		else
			LLVMInstructionEraseFromParent(mark[i].call);
	if (unit->points != NULL) {
		/* Nothing is known of the continuations that it calls now. */
		cofl_attribute_drop(to, "memory");
	}
	free(mark);
}

void cofl_osr_point_finish(struct cofl_clone *unit)
{
	LLVMValueRef mark = LLVMGetNamedFunction(unit->module, COFL_OSR_MARK);
	LLVMUseRef use;

	if (unit->osr == NULL || mark == NULL)
		return;
	while ((use = LLVMGetFirstUse(mark)) != NULL)
		finish(unit, cofl_instruction_function(LLVMGetUser(use)));
	LLVMDeleteFunction(mark);
}

void cofl_osr_point_attach(struct cofl_clone *unit,
			   struct cof_version_desc *desc)
{
	if (unit->points != NULL && cofl_loader_add_points(desc, unit->points))
		unit->points = NULL;
}
