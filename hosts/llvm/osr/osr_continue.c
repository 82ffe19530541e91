/*
 * osr_continue.c - turn a clone into a continuation
 *
 *	entry: load live values        the clone's own entry is never reached,
 *	   |                           nor what only leads to the loop
 *	   v
 *	the loop's header: PHIs <--- around
 *
 * A PHI of the header gets the loaded value from the entry. Any other live
 * value that is defined where the continuation can get now has two definitions,
 * its own and the loaded one. A variable holds it: either definition stores it,
 * each use loads it (osr_demote.c). The optimizer makes values of these
 * variables again.
 */
#include "osr/osr_continue.h"

#include <stdlib.h>

#include "ir/attribute.h"
#include "ir/copy.h"
#include "ir/llvm_shim.h"
#include "support/xcalloc.h"

/* Does an attribute of the whole function hold for its end, too? */
static bool holds_for_end(LLVMAttributeRef a)
{
	static const char *const others[] = {
		"memory", "allocsize", "allockind", "alwaysinline", "noinline",
		"minsize", "optsize", "cold", "noreturn", "speculatable",
		"norecurse", "willreturn", "jumptable", "inlinehint",
	};

	if (LLVMIsStringAttribute(a))
		return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (LLVMGetEnumAttributeKind(a) ==
		    cofl_attribute_kind(others[i]))
			return false;
	return true;
}

LLVMValueRef cofl_osr_declare(struct cofl_clone *unit, LLVMValueRef f,
			      const char *name)
{
	LLVMTypeRef ptr = cofl_clone_pointer(unit);
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f));
	LLVMValueRef to = LLVMAddFunction(
		unit->module, name, LLVMFunctionType(result, &ptr, 1, 0));
	unsigned n =
		LLVMGetAttributeCountAtIndex(f, LLVMAttributeFunctionIndex);
	LLVMAttributeRef *a = cofl_xcalloc(n, sizeof(LLVMAttributeRef));

	LLVMGetAttributesAtIndex(f, LLVMAttributeFunctionIndex, a);
	for (unsigned i = 0; i < n; i++)
		if (holds_for_end(a[i]))
			LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex,
						a[i]);
	free(a);
	LLVMSetVisibility(to, LLVMHiddenVisibility);
	if (LLVMHasPersonalityFn(f))
		LLVMSetPersonalityFn(to, cofl_clone_constant(
			unit, LLVMGetPersonalityFn(f)));
	return to;
}

/* -- The entry ------------------------------------------------------------- */

static LLVMValueRef at_offset(struct cofl_continuing *c, LLVMValueRef base,
			      LLVMTypeRef element, LLVMValueRef index)
{
	return LLVMBuildGEP2(c->builder, element, base, &index, 1, "");
}

static LLVMValueRef load(struct cofl_continuing *c, LLVMTypeRef type,
			 uint32_t offset)
{
	LLVMTypeRef i8 = LLVMInt8TypeInContext(c->context);
	LLVMValueRef v = LLVMBuildLoad2(c->builder, type, at_offset(
		c, LLVMGetParam(c->to, 0), i8,
		cofl_clone_i32(c->unit, offset)), "");

	if (LLVMGetAlignment(v) > COFL_OSR_ENTRY_ALIGN)
		LLVMSetAlignment(v, COFL_OSR_ENTRY_ALIGN);
	return v;
}

/*
 * Translate a blockaddress of the old code: its place in their table is its
 * place in ours. An address that is in no table is never jumped to.
 */
static LLVMValueRef translate(struct cofl_continuing *c, LLVMValueRef label,
			      LLVMValueRef theirs, LLVMValueRef ours)
{
	uint32_t n = c->unit->osr->n_targets;
	LLVMBasicBlockRef before = c->last, look = cofl_osr_block(c);
	LLVMBasicBlockRef next = cofl_osr_block(c), found = cofl_osr_block(c);
	LLVMBasicBlockRef after = cofl_osr_block(c);
	LLVMValueRef i, more, v, first = cofl_clone_i32(c->unit, 0);

	LLVMBuildBr(c->builder, look);
	LLVMPositionBuilderAtEnd(c->builder, look);
	i = LLVMBuildPhi(c->builder, LLVMTypeOf(first), "");
	v = LLVMBuildLoad2(c->builder, c->ptr,
			   at_offset(c, theirs, c->ptr, i), "");
	LLVMBuildCondBr(c->builder, LLVMBuildICmp(c->builder, LLVMIntEQ, v,
						  label, ""), found, next);
	LLVMPositionBuilderAtEnd(c->builder, next);
	more = LLVMBuildAdd(c->builder, i, cofl_clone_i32(c->unit, 1), "");
	LLVMBuildCondBr(c->builder,
			LLVMBuildICmp(c->builder, LLVMIntULT, more,
				      cofl_clone_i32(c->unit, n), ""),
			look, after);
	LLVMAddIncoming(i, &first, &before, 1);
	LLVMAddIncoming(i, &more, &next, 1);
	LLVMPositionBuilderAtEnd(c->builder, found);
	v = LLVMBuildLoad2(c->builder, c->ptr, at_offset(c, ours, c->ptr, i),
			   "");
	LLVMBuildBr(c->builder, after);
	LLVMPositionBuilderAtEnd(c->builder, after);
	more = LLVMBuildPhi(c->builder, c->ptr, "");
	LLVMAddIncoming(more, &label, &next, 1);
	LLVMAddIncoming(more, &v, &found, 1);
	c->last = after;
	return more;
}

static void load_all(struct cofl_continuing *c, LLVMValueRef labels)
{
	LLVMValueRef theirs = NULL;

	LLVMPositionBuilderAtEnd(c->builder, c->last);
	if (c->unit->osr->n_targets != 0)
		theirs = load(c, c->ptr, 0);
	for (uint32_t i = 0; i < c->loop->n_live; i++) {
		c->loaded[i] = load(c, LLVMTypeOf(c->live[i]),
				    c->layout->offset[i]);
		if (c->layout->is_blockaddress[i])
			c->loaded[i] = translate(c, c->loaded[i], theirs,
						 labels);
	}
}

/*
 * What a PHI that is not handed over holds at first. Nothing uses it; but one
 * that counting put there tells which counter to add to, and has nothing but
 * their offsets (count/insert.c). The greatest is of no edge, if there is one
 * of none.
 */
static LLVMValueRef not_handed_over(LLVMValueRef phi)
{
	LLVMValueRef most = NULL;

	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);

		if (!LLVMIsAConstantInt(v) ||
		    LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
			return LLVMGetPoison(LLVMTypeOf(phi));
		if (most == NULL || LLVMConstIntGetZExtValue(v) >
					    LLVMConstIntGetZExtValue(most))
			most = v;
	}
	return most != NULL ? most : LLVMGetPoison(LLVMTypeOf(phi));
}

static void load_phis(struct cofl_continuing *c, LLVMBasicBlockRef header)
{
	LLVMValueRef phi = LLVMGetFirstInstruction(header);

	for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
		LLVMValueRef v = not_handed_over(phi);

		for (uint32_t i = 0; i < c->loop->n_live; i++)
			if (c->live[i] == phi) {
				v = c->loaded[i];
				c->live[i] = NULL;
			}
		LLVMAddIncoming(phi, &v, &c->last, 1);
	}
}

/* Live parameters become the loaded values. Nothing reached uses the others. */
static void replace_params(struct cofl_continuing *c, LLVMValueRef params)
{
	for (uint32_t i = 0; i < c->loop->n_live; i++)
		if (LLVMIsAArgument(c->live[i])) {
			LLVMReplaceAllUsesWith(c->live[i], c->loaded[i]);
			c->live[i] = NULL;
		}
	for (LLVMValueRef p = LLVMGetFirstParam(params); p != NULL;
	     p = LLVMGetNextParam(p))
		LLVMReplaceAllUsesWith(p, LLVMGetPoison(LLVMTypeOf(p)));
	LLVMDeleteFunction(params);
}

/* -- All of it ------------------------------------------------------------- */

/* At the header of an outer loop: go on in its continuation. */
static void go_to_next(struct cofl_continuing *c,
		       const struct cofl_osr_mark *mark, LLVMValueRef next)
{
	if (c->buffer == NULL)
		c->buffer = cofl_osr_mark_buffer(c->unit, c->to);
	LLVMPositionBuilderAtEnd(c->builder, cofl_llvm_shim_split(mark->call));
	cofl_osr_mark_leave(c->unit, c->to, mark, next, c->buffer);
}

static void connect(struct cofl_continuing *c, uint32_t i)
{
	LLVMValueRef v = c->live[i], now = c->loaded[i];

	if (v == NULL)
		return;
	if (cofl_osr_reached(c, v)) {
		cofl_osr_demote(c, i);
		return;
	}
	/* Its definition is not reached any more. */
	if (c->moved[i])
		now = cofl_osr_move(c, v, now);
	LLVMReplaceAllUsesWith(v, now);
	c->live[i] = NULL;
}

/*
 * The loop's header gets one more way in, by its PHIs, and the frame passes the
 * header's point. A way in behind the point would split the header, and code
 * generators lay such a loop out with a jump more in each turn.
 */
static void enter(struct cofl_continuing *c, const struct cofl_osr_mark *mark,
		  LLVMValueRef params)
{
	LLVMBasicBlockRef header = LLVMGetInstructionParent(mark->call);

	for (uint32_t i = 0; i < c->loop->n_live; i++)
		c->live[i] = cofl_osr_mark_live(mark, i);
	/* It leads to the clone's entry, which made this a valid function. */
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(c->entry));
	load_all(c, mark->labels);
	LLVMPositionBuilderAtEnd(c->builder, c->last);
	LLVMBuildBr(c->builder, header);
	load_phis(c, header);
	replace_params(c, params);
	cofl_osr_note_reached(c, header);
}

void cofl_osr_continue(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to,
		       uint32_t loop, LLVMValueRef *next, cofl_osr_edit *edit,
		       void *arg)
{
	const struct cofl_osr_entries *osr = unit->osr;
	struct cofl_continuing c = {
		.unit = unit, .builder = unit->copy->builder,
		.context = unit->copy->context, .to = to,
		.ptr = cofl_clone_pointer(unit),
		.loop = &osr->loops.loop[loop], .layout = &osr->entry[loop],
	};
	struct cofl_osr_mark *mark = cofl_xcalloc(osr->loops.n_loops,
						  sizeof(*mark));
	LLVMValueRef params = LLVMAddFunction(unit->module, "cof.osr.params",
					      LLVMGlobalGetValueType(f));
	uint32_t n;

	c.live = cofl_xcalloc(c.loop->n_live, sizeof(LLVMValueRef));
	c.loaded = cofl_xcalloc(c.loop->n_live, sizeof(LLVMValueRef));
	c.moved = cofl_xcalloc(c.loop->n_live, sizeof(bool));
	cofl_clone_body(unit, f, to, params);
	edit(arg, unit, to, true);
	c.entry = LLVMInsertBasicBlockInContext(
		c.context, LLVMGetEntryBasicBlock(to), "");
	c.last = c.entry;
	LLVMPositionBuilderAtEnd(c.builder, c.entry);
	LLVMBuildBr(c.builder, LLVMGetNextBasicBlock(c.entry));
	edit(arg, unit, to, false);
	/* Outer loops first: what comes after them is not reached then. */
	n = cofl_osr_marks(unit, to, mark);
	for (uint32_t i = 0; i < n; i++)
		if (mark[i].loop != loop && next[mark[i].loop] != NULL)
			go_to_next(&c, &mark[i], next[mark[i].loop]);
	for (uint32_t i = 0; i < n; i++)
		if (mark[i].loop == loop)
			enter(&c, &mark[i], params);
	cofl_osr_drop_lifetimes(&c);
	if (unit->points == NULL) {
		n = cofl_osr_marks(unit, to, mark);
		for (uint32_t i = 0; i < n; i++)
			LLVMInstructionEraseFromParent(mark[i].call);
	}
	cofl_osr_find_moved(&c);
	for (uint32_t i = 0; i < c.loop->n_live; i++)
		connect(&c, i);
	LLVMSetLinkage(to, LLVMExternalLinkage);
	cofl_map_free(&c.reached);
	free(c.live);
	free(c.loaded);
	free(c.moved);
	free(mark);
}
