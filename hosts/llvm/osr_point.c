/*
 * osr_point.c - marks, and the points they become
 */
#include "osr.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>

#include "copy.h"
#include "fatal.h"

#define MARK "cof.osr.mark"

static void *room_for(size_t n, size_t bytes)
{
	void *p = calloc(n + 1, bytes);

	if (p == NULL)
		cofl_fatal("out of memory");
	return p;
}

static LLVMTypeRef pointer(struct cofl_unit *unit)
{
	return LLVMPointerTypeInContext(unit->copy->context, 0);
}

static LLVMValueRef number(struct cofl_unit *unit, uint64_t v)
{
	return LLVMConstInt(LLVMInt32TypeInContext(unit->copy->context), v, 0);
}

void cofl_osr_prepare(struct cofl_unit *unit, LLVMValueRef f, bool points)
{
	LLVMTargetDataRef layout;

	cofl_osr_forget(unit);
	layout = LLVMGetModuleDataLayout(unit->copy->module);
	unit->gates = room_for(1, sizeof(*unit->gates));
	cofl_gates_find(unit->gates, f, layout);
	unit->gates_of = f;
	if (unit->gates->n_possible == 0)
		cofl_osr_forget(unit);
	else if (points)
		unit->points = cofl_points_new(unit->gates->loops.n_loops,
					       NULL);
}

void cofl_osr_forget(struct cofl_unit *unit)
{
	if (unit->gates != NULL)
		cofl_gates_free(unit->gates);
	free(unit->gates);
	cofl_points_free(unit->points);
	unit->gates = NULL;
	unit->gates_of = NULL;
	unit->points = NULL;
}

/* -- Marks ------------------------------------------------------------------ */

static LLVMTypeRef mark_type(struct cofl_unit *unit)
{
	LLVMTypeRef params[2] = {
		LLVMInt32TypeInContext(unit->copy->context), pointer(unit) };

	return LLVMFunctionType(LLVMVoidTypeInContext(unit->copy->context),
				params, 2, 1);
}

/* Where indirect branches may lead, in this clone. */
static LLVMValueRef table_of_labels(struct cofl_unit *unit, LLVMValueRef to)
{
	const struct cofl_gates *g = unit->gates;
	LLVMValueRef *label, table;

	if (g->n_targets == 0)
		return LLVMConstNull(pointer(unit));
	label = room_for(g->n_targets, sizeof(LLVMValueRef));
	for (uint32_t i = 0; i < g->n_targets; i++)
		label[i] = LLVMBlockAddress(to, LLVMValueAsBasicBlock(
			cofl_map_get(unit->values,
				     LLVMBasicBlockAsValue(g->target[i]))));
	table = LLVMAddGlobal(unit->module,
			      LLVMArrayType2(pointer(unit), g->n_targets),
			      "cof.osr.labels");
	LLVMSetInitializer(table, LLVMConstArray2(pointer(unit), label,
						  g->n_targets));
	LLVMSetGlobalConstant(table, 1);
	LLVMSetLinkage(table, LLVMInternalLinkage);
	free(label);
	return table;
}

void cofl_osr_mark(struct cofl_unit *unit, LLVMValueRef f, LLVMValueRef to)
{
	const struct cofl_gates *g = unit->gates;
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef type = mark_type(unit);
	LLVMValueRef mark = LLVMGetNamedFunction(unit->module, MARK), labels;

	if (g == NULL || f != unit->gates_of)
		return;
	if (mark == NULL)
		mark = LLVMAddFunction(unit->module, MARK, type);
	labels = table_of_labels(unit, to);
	for (uint32_t k = 0; k < g->loops.n_loops; k++) {
		const struct cofl_loop *loop = &g->loops.loop[k];
		LLVMValueRef *arg, i;

		if (!g->gate[k].possible)
			continue;
		arg = room_for(loop->n_live + 2, sizeof(LLVMValueRef));
		arg[0] = number(unit, k);
		arg[1] = labels;
		for (uint32_t v = 0; v < loop->n_live; v++)
			arg[2 + v] = cofl_map_get(unit->values, loop->live[v]);
		i = LLVMGetFirstInstruction(LLVMValueAsBasicBlock(cofl_map_get(
			unit->values, LLVMBasicBlockAsValue(
				g->loops.block[loop->header]))));
		while (LLVMIsAPHINode(i))
			i = LLVMGetNextInstruction(i);
		LLVMPositionBuilderBefore(builder, i);
		LLVMBuildCall2(builder, type, mark, arg, loop->n_live + 2, "");
		free(arg);
	}
}

static LLVMValueRef function_of(LLVMValueRef i)
{
	return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
}

uint32_t cofl_osr_marks(const struct cofl_unit *unit, LLVMValueRef to,
			struct cofl_mark *mark)
{
	LLVMValueRef f = LLVMGetNamedFunction(unit->module, MARK);
	uint32_t n = 0;

	for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u != NULL;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef call = LLVMGetUser(u);

		if (function_of(call) != to)
			continue;
		mark[n++] = (struct cofl_mark){
			.call = call, .labels = LLVMGetOperand(call, 1),
			.loop = (uint32_t)LLVMConstIntGetZExtValue(
				LLVMGetOperand(call, 0)) };
	}
	return n;
}

/*
 * The block keeps its terminator, and so its place in the PHIs of what comes
 * after it, which C cannot change. Its uses (branches to it, its address) go to
 * the new block; for LLVM would change those PHIs too, not while it ends in one.
 */
LLVMBasicBlockRef cofl_osr_split(struct cofl_unit *unit,
				 const struct cofl_mark *mark)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMBasicBlockRef rest = LLVMGetInstructionParent(mark->call);
	LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(
		unit->copy->context, rest, "");
	LLVMValueRef end = LLVMGetBasicBlockTerminator(rest), i;

	LLVMPositionBuilderAtEnd(builder, head);
	while ((i = LLVMGetFirstInstruction(rest)) != mark->call) {
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(builder, i);
	}
	LLVMInstructionEraseFromParent(mark->call);
	LLVMInstructionRemoveFromParent(end);
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(rest),
			       LLVMBasicBlockAsValue(head));
	LLVMPositionBuilderAtEnd(builder, rest);
	LLVMInsertIntoBuilder(builder, end);
	return head;
}

/* -- The buffer ------------------------------------------------------------- */

LLVMValueRef cofl_osr_buffer(struct cofl_unit *unit, LLVMValueRef to)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef type = LLVMArrayType2(
		LLVMInt8TypeInContext(unit->copy->context), unit->gates->bytes);
	LLVMValueRef buffer;

	LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(
					  LLVMGetEntryBasicBlock(to)));
	buffer = LLVMBuildAlloca(builder, type, "");
	LLVMSetAlignment(buffer, COFL_GATE_ALIGN);
	return buffer;
}

static void store(struct cofl_unit *unit, LLVMValueRef v, LLVMValueRef buffer,
		  uint32_t offset)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef i8 = LLVMInt8TypeInContext(unit->copy->context);
	LLVMValueRef at = number(unit, offset), to;

	to = LLVMBuildStore(builder, v,
			    LLVMBuildGEP2(builder, i8, buffer, &at, 1, ""));
	if (LLVMGetAlignment(to) > COFL_GATE_ALIGN)
		LLVMSetAlignment(to, COFL_GATE_ALIGN);
}

void cofl_osr_store(struct cofl_unit *unit, uint32_t loop, LLVMValueRef labels,
		    LLVMValueRef *live, LLVMValueRef buffer)
{
	const struct cofl_gates *g = unit->gates;

	if (g->n_targets != 0)
		store(unit, labels, buffer, 0);
	for (uint32_t i = 0; i < g->loops.loop[loop].n_live; i++)
		store(unit, live[i], buffer, g->gate[loop].offset[i]);
}

void cofl_osr_leave(struct cofl_unit *unit, LLVMValueRef to,
		    LLVMValueRef continuation, LLVMValueRef buffer)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef p = pointer(unit);
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(to));
	LLVMValueRef v = LLVMBuildCall2(builder,
					LLVMFunctionType(result, &p, 1, 0),
					continuation, &buffer, 1, "");

	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(builder);
	else
		LLVMBuildRet(builder, v);
}

/* -- Points ----------------------------------------------------------------- */

/*
 * C cannot make a callbr, so one is read from text, and cloned. The label of the
 * record is local to the statement, which may be in the code more than once.
 */
static const char sample[] =
	"define void @point() {\n"
	"  callbr void asm sideeffect \""
		"771:\\09.byte 0xa9\\0A"
		"\\09.long ${1:l}-.-4\\0A"
		"\\09.pushsection " COFL_POINT_SECTION ",\\22a\\22,@progbits\\0A"
		"\\09.balign 4\\0A"
		"\\09.long 771b-.\\0A"
		"\\09.long ${0:c}\\0A"
		"\\09.popsection\", "
	"\"i,!i,~{dirflag},~{fpsr},~{flags}\"(i32 0) to label %go [label %leave]\n"
	"go:\n  ret void\n"
	"leave:\n  ret void\n"
	"}\n";

static LLVMModuleRef read_sample(struct cofl_unit *unit)
{
	LLVMMemoryBufferRef text = LLVMCreateMemoryBufferWithMemoryRangeCopy(
		sample, sizeof(sample) - 1, "point");
	LLVMModuleRef module;
	char *error = NULL;

	if (LLVMParseIRInContext(unit->copy->context, text, &module, &error))
		cofl_fatal("LLVM cannot read: %s", error);
	return module;
}

/* Of the function at hand. */
static uint32_t first_word(const struct cofl_unit *unit)
{
	return unit->words ? unit->n_words - unit->points->n_loops : 0;
}

static void end_head(struct cofl_unit *unit, LLVMValueRef callbr,
		     LLVMBasicBlockRef head, uint32_t loop,
		     LLVMBasicBlockRef rest, LLVMBasicBlockRef leave)
{
	LLVMValueRef end = LLVMInstructionClone(callbr);

	LLVMPositionBuilderAtEnd(unit->copy->builder, head);
	LLVMInsertIntoBuilder(unit->copy->builder, end);
	LLVMSetOperand(end, 0, number(unit, first_word(unit) + loop));
	LLVMSetSuccessor(end, 0, rest);
	LLVMSetSuccessor(end, 1, leave);
}

/* The address of a field of the loop's word, as code has it. */
static LLVMValueRef field(struct cofl_unit *unit, uint32_t loop, size_t offset)
{
	LLVMTypeRef i64 = LLVMInt64TypeInContext(unit->copy->context);
	LLVMValueRef at;

	if (unit->words == NULL)
		return LLVMConstIntToPtr(
			LLVMConstInt(i64, (uintptr_t)&unit->points->word[loop] +
				     offset, 0), pointer(unit));
	at = LLVMConstInt(i64, first_word(unit) * sizeof(struct cofl_word) +
			  loop * sizeof(struct cofl_word) + offset, 0);
	return LLVMConstGEP2(LLVMInt8TypeInContext(unit->copy->context),
			     unit->words, &at, 1);
}

static void add_point(struct cofl_unit *unit, LLVMValueRef to,
		      LLVMValueRef callbr, const struct cofl_mark *mark,
		      LLVMValueRef buffer)
{
	LLVMContextRef context = unit->copy->context;
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
	uint32_t n = unit->gates->loops.loop[mark->loop].n_live;
	LLVMValueRef *live = room_for(n, sizeof(LLVMValueRef)), go, arrived, at;
	LLVMBasicBlockRef rest = LLVMGetInstructionParent(mark->call);
	LLVMBasicBlockRef leave, gone, head;

	for (uint32_t i = 0; i < n; i++)
		live[i] = cofl_mark_live(mark, i);
	head = cofl_osr_split(unit, mark);
	leave = LLVMAppendBasicBlockInContext(context, to, "");
	gone = LLVMAppendBasicBlockInContext(context, to, "");
	end_head(unit, callbr, head, mark->loop, rest, leave);

	LLVMPositionBuilderAtEnd(builder, leave);
	at = field(unit, mark->loop, offsetof(struct cofl_word, arrived));
	arrived = LLVMBuildLoad2(builder, i64, at, "");
	LLVMBuildStore(builder, LLVMBuildAdd(builder, arrived,
					     LLVMConstInt(i64, 1, 0), ""), at);
	/* Plain on x86; pairs with the release of who filled it in (osr.c). */
	at = field(unit, mark->loop, offsetof(struct cofl_word, go));
	go = LLVMBuildLoad2(builder, pointer(unit), at, "");
	LLVMSetOrdering(go, LLVMAtomicOrderingAcquire);
	LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, go, ""), rest, gone);

	LLVMPositionBuilderAtEnd(builder, gone);
	cofl_osr_store(unit, mark->loop, mark->labels, live, buffer);
	cofl_osr_leave(unit, to, go, buffer);
	free(live);
}

static void finish(struct cofl_unit *unit, LLVMValueRef to, LLVMValueRef callbr)
{
	struct cofl_mark *mark = room_for(unit->gates->loops.n_loops,
					  sizeof(*mark));
	uint32_t n = cofl_osr_marks(unit, to, mark);
	LLVMValueRef buffer = n > 0 && callbr ? cofl_osr_buffer(unit, to) : NULL;

	for (uint32_t i = 0; i < n; i++)
		if (callbr != NULL)
			add_point(unit, to, callbr, &mark[i], buffer);
		else
			LLVMInstructionEraseFromParent(mark[i].call);
	/* It calls what nobody knows anything about now. */
	if (callbr != NULL)
		LLVMRemoveEnumAttributeAtIndex(to, LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName("memory", 6));
	free(mark);
}

void cofl_osr_finish(struct cofl_unit *unit)
{
	LLVMModuleRef module = NULL;
	LLVMValueRef callbr = NULL, f, mark;

	mark = LLVMGetNamedFunction(unit->module, MARK);
	if (unit->gates == NULL || mark == NULL)
		return;
	if (unit->points != NULL) {
		module = read_sample(unit);
		callbr = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(
			LLVMGetFirstFunction(module)));
	}
	while (LLVMGetFirstUse(mark) != NULL) {
		f = function_of(LLVMGetUser(LLVMGetFirstUse(mark)));
		finish(unit, f, callbr);
	}
	LLVMDeleteFunction(mark);
	if (module != NULL)
		LLVMDisposeModule(module);
}

/* -- Images ----------------------------------------------------------------- */

/*
 * In code that is to be as fast as any a point has its price, little as it is: a
 * loop has one only if it calls, or has loops in it. Not where the way on is an
 * address: code generators make one copy of such a block for each way to it.
 */
static bool is_worth_it(const struct cofl_loops *l, uint32_t loop)
{
	uint32_t header = l->loop[loop].header;

	if (LLVMIsAIndirectBrInst(LLVMGetBasicBlockTerminator(
		    l->block[header])))
		return false;
	for (uint32_t k = 0; k < l->n_loops; k++)
		if (l->loop[k].parent == loop)
			return true;
	for (uint32_t b = 0; b < l->n_blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(l->block[b]);

		for (; l->loop_of[b] == loop && i != NULL;
		     i = LLVMGetNextInstruction(i)) {
			const char *name;

			if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
				continue;
			name = cofl_callee_name(i);
			if (name == NULL || strncmp(name, "llvm.", 5) != 0)
				return true;
		}
	}
	return false;
}

void cofl_osr_sparse(struct cofl_unit *unit, const bool *keep)
{
	struct cofl_gates *g = unit->gates;

	for (uint32_t k = 0; g != NULL && k < g->loops.n_loops; k++)
		if ((keep == NULL || !keep[k]) && !is_worth_it(&g->loops, k))
			g->gate[k].possible = false;
}

void cofl_osr_image_begin(struct cofl_unit *unit, uint32_t n_methods)
{
	unit->bases = room_for(n_methods, sizeof(*unit->bases));
	unit->words = LLVMAddGlobal(
		unit->module, LLVMInt8TypeInContext(unit->copy->context),
		COFL_POINT_WORDS ".later");
}

void cofl_osr_image_method(struct cofl_unit *unit, LLVMValueRef f, uint32_t i)
{
	struct cofl_gates *g;

	cofl_osr_prepare(unit, f, true);
	cofl_osr_sparse(unit, NULL);
	g = unit->gates;
	if (g != NULL)
		unit->n_words += g->loops.n_loops;
	unit->bases[i + 1] = unit->n_words;
}

/* With a word that is not zero, for what is zero may be left out of objects that
 * are loaded into a program that runs (loader.c). */
void cofl_osr_image_end(struct cofl_unit *unit, uint32_t n_methods)
{
	LLVMContextRef c = unit->copy->context;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
	size_t n = (size_t)unit->n_words * (sizeof(struct cofl_word) / 8) + 1;
	LLVMValueRef *v = room_for(n > n_methods ? n : n_methods + (size_t)1,
				   sizeof(LLVMValueRef)), words, bases;

	for (size_t k = 0; k < n; k++)
		v[k] = LLVMConstInt(i64, k + 1 == n, 0);
	words = LLVMAddGlobal(unit->module, LLVMArrayType2(i64, n),
			      COFL_POINT_WORDS);
	LLVMSetInitializer(words, LLVMConstArray2(i64, v, n));
	LLVMSetLinkage(words, LLVMInternalLinkage);
	LLVMSetAlignment(words, 16);
	LLVMReplaceAllUsesWith(unit->words, words);
	LLVMDeleteGlobal(unit->words);
	for (uint32_t i = 0; i <= n_methods; i++)
		v[i] = LLVMConstInt(i32, unit->bases[i], 0);
	bases = LLVMAddGlobal(unit->module,
			      LLVMArrayType2(i32, n_methods + (uint64_t)1),
			      COFL_POINT_BASES);
	LLVMSetInitializer(bases, LLVMConstArray2(i32, v,
						  n_methods + (uint64_t)1));
	LLVMSetLinkage(bases, LLVMInternalLinkage);
	LLVMSetGlobalConstant(bases, 1);
	free(v);
	free(unit->bases);
	unit->bases = NULL;
	unit->words = NULL;
	cofl_osr_forget(unit);
}

void cofl_osr_attach(struct cofl_unit *unit, const struct cof_version_desc *desc)
{
	struct cofl_version *version = desc->data;

	if (unit->points == NULL || version->records == NULL ||
	    !cofl_points_place(unit->points, &desc->block, version->records,
			       version->record_bytes, 0))
		return;
	version->points = unit->points;
	unit->points = NULL;
}
