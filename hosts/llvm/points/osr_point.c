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
#include "points/osr_mark.h"
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

/* The number of the function's first word in an image. */
static uint32_t first_word(const struct cofl_clone *unit)
{
	return unit->words ? unit->n_words - unit->points->n_loops : 0;
}

/* An address in this process, for code that is in no file. */
static LLVMValueRef address(struct cofl_clone *unit, const void *p)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(unit->copy->context);

	return LLVMConstIntToPtr(LLVMConstInt(i64, (uintptr_t)p, 0),
				 cofl_clone_pointer(unit));
}

static void poll(struct cofl_clone *unit, uint32_t loop, LLVMBasicBlockRef rest,
		 LLVMBasicBlockRef leave)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef armed = LLVMBuildLoad2(
		builder, LLVMInt8TypeInContext(unit->copy->context),
		address(unit, &unit->points->armed[loop]), "");

	LLVMSetVolatile(armed, 1);
	LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, armed, ""), rest,
			leave);
}

static bool is_polled(const struct cofl_clone *unit)
{
	return unit->points->armed != NULL;
}

static void end_head(struct cofl_clone *unit, LLVMBasicBlockRef head,
		     uint32_t loop, LLVMBasicBlockRef rest,
		     LLVMBasicBlockRef leave)
{
	LLVMPositionBuilderAtEnd(unit->copy->builder, head);
	if (is_polled(unit))
		poll(unit, loop, rest, leave);
	else
		cofl_llvm_shim_callbr(
			head, record, "i,!i,~{dirflag},~{fpsr},~{flags}",
			cofl_clone_i32(unit, first_word(unit) + loop), rest,
			leave);
}

/* The address of a field of the loop's word. */
static LLVMValueRef field(struct cofl_clone *unit, uint32_t loop, size_t offset)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(unit->copy->context);
	LLVMValueRef at;

	if (unit->words == NULL)
		return address(unit,
			       (char *)&unit->points->word[loop] + offset);
	at = LLVMConstInt(i64, ((size_t)first_word(unit) + loop) *
			       sizeof(struct cofl_word) + offset, 0);
	return LLVMConstGEP2(LLVMInt8TypeInContext(unit->copy->context),
			     unit->words, &at, 1);
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
		      const struct cofl_osr_mark *mark, LLVMValueRef buffer)
{
	LLVMContextRef c = unit->copy->context;
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef go, at;
	LLVMBasicBlockRef rest = LLVMGetInstructionParent(mark->call);
	LLVMBasicBlockRef head = cofl_llvm_shim_split(mark->call);
	LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(c, to, "");
	LLVMBasicBlockRef gone = LLVMAppendBasicBlockInContext(c, to, "");

	end_head(unit, head, mark->loop, rest, leave);

	LLVMPositionBuilderAtEnd(builder, leave);
	add_one(unit, field(unit, mark->loop,
			    offsetof(struct cofl_word, arrived)));
	/* Plain on x86; pairs with the release in lead() (osr/osr.c). FastISel
	 * knows no atomic loads, and moves no load. */
	at = field(unit, mark->loop, offsetof(struct cofl_word, go));
	go = LLVMBuildLoad2(builder, cofl_clone_pointer(unit), at, "");
	if (is_polled(unit))
		LLVMSetVolatile(go, 1);
	else
		LLVMSetOrdering(go, LLVMAtomicOrderingAcquire);
	LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, go, ""), rest, gone);

	LLVMPositionBuilderAtEnd(builder, gone);
	cofl_osr_mark_leave(unit, to, mark, go, buffer);
}

static void count_entries(struct cofl_clone *unit, LLVMValueRef to)
{
	LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(to));

	while (LLVMIsAAllocaInst(i))
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(unit->copy->builder, i);
	add_one(unit, address(unit, &unit->points->entries));
}

static void finish(struct cofl_clone *unit, LLVMValueRef to)
{
	struct cofl_osr_mark *mark = cofl_xcalloc(unit->osr->loops.n_loops,
						  sizeof(*mark));
	uint32_t n = cofl_osr_marks(unit, to, mark);
	LLVMValueRef buffer = NULL;

	if (unit->points != NULL && n > 0)
		buffer = cofl_osr_mark_buffer(unit, to);
	for (uint32_t i = 0; i < n; i++)
		if (unit->points != NULL)
			add_point(unit, to, &mark[i], buffer);
		else
			LLVMInstructionEraseFromParent(mark[i].call);
	if (unit->points != NULL) {
		if (is_polled(unit))
			count_entries(unit, to);
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
	struct cofl_version *version = desc->data;

	if (unit->points == NULL)
		return;
	if (unit->points->armed != NULL)
		desc->entries = &unit->points->entries;
	else if (version->records == NULL ||
		 !cofl_osr_points_place(unit->points, &desc->block,
					version->records,
					version->record_bytes, 0))
		return;
	version->points = unit->points;
	unit->points = NULL;
}
