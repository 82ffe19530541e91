/*
 * osr_entry.c - see osr_entry.h
 */
#include "points/osr_entry.h"

#include <stdlib.h>
#include <string.h>

#include "ir/attribute.h"
#include "ir/blockaddress.h"
#include "ir/list.h"
#include "ir/llvm_shim.h"
#include "support/xcalloc.h"

const char *cofl_osr_entry_callee_name(LLVMValueRef call)
{
	LLVMValueRef f = LLVMGetCalledValue(call);

	return f != NULL && LLVMIsAFunction(f) ?
	       LLVMGetValueName2(f, &(size_t){ 0 }) : NULL;
}

static bool begins(const char *name, const char *with)
{
	return name != NULL && strncmp(name, with, strlen(with)) == 0;
}

/* -- Hazards --------------------------------------------------------------- */

/*
 * How an instruction depends on the frame it runs in. FRAME: it must not run in
 * a continuation. STACK: it restores the stack pointer, and must not run in a
 * continuation if the old frame saved that. FUNCTION: no frame that may have
 * run it can be left, since control may come back to what the frame was then.
 */
enum hazard { NONE, STACK, FRAME, FUNCTION };

static enum hazard hazard_of_call(LLVMValueRef call)
{
	static const struct {
		const char *name;
		enum hazard hazard;
	} callees[] = {
		{ "llvm.eh.sjlj", FUNCTION }, { "llvm.coro.", FUNCTION },
		{ "llvm.eh.return", FUNCTION }, { "llvm.gcroot", FUNCTION },
		{ "llvm.experimental.gc", FUNCTION },
		/* About its arguments, or where it returns to. */
		{ "llvm.va_start", FRAME }, { "llvm.returnaddress", FRAME },
		{ "llvm.frameaddress", FRAME },
		{ "llvm.addressofreturnaddress", FRAME },
		{ "llvm.sponentry", FRAME }, { "llvm.localescape", FRAME },
		{ "llvm.experimental.deoptimize", FRAME },
		{ "llvm.call.preallocated", FRAME },
		{ "llvm.stackrestore", STACK },
	};
	LLVMValueRef f = LLVMGetCalledValue(call);
	const char *name = cofl_osr_entry_callee_name(call);

	if (LLVMGetCallSiteEnumAttribute(
		    call, LLVMAttributeFunctionIndex,
		    cofl_attribute_kind("returns_twice")) != NULL ||
	    (name != NULL && cofl_attribute_has(f, "returns_twice")))
		return FUNCTION;
	for (size_t i = 0; i < sizeof(callees) / sizeof(*callees); i++)
		if (begins(name, callees[i].name))
			return callees[i].hazard;
	/* It promises that the stack does not grow. */
	return LLVMIsACallInst(call) &&
	       LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail ?
	       FRAME : NONE;
}

static enum hazard hazard_of(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
	case LLVMInvoke:
		return hazard_of_call(i);
	case LLVMCatchSwitch:
	case LLVMCatchPad:
	case LLVMCleanupPad:
		return FUNCTION;
	default:
		return NONE;
	}
}

static bool is_excluded(LLVMValueRef f)
{
	static const char *const attributes[] = {
		"naked", "presplitcoroutine", "optnone", "returns_twice" };
	static const char *const params[] = {
		"swifterror", "swiftasync", "inalloca", "preallocated" };
	LLVMAttributeIndex n = (LLVMAttributeIndex)LLVMCountParams(f);

	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (cofl_attribute_has(f, attributes[i]))
			return true;
	for (LLVMAttributeIndex at = 1; at <= n; at++)
		for (size_t i = 0; i < sizeof(params) / sizeof(*params); i++)
			if (cofl_attribute_has_at(f, at, params[i]))
				return true;
	return LLVMGetGC(f) != NULL;
}

static bool is_live(const struct cofl_loop *loop, LLVMValueRef v)
{
	for (uint32_t i = 0; i < loop->n_live; i++)
		if (loop->live[i] == v)
			return true;
	return false;
}

/* Was the stack pointer that `call` restores saved before the loop's header? */
static bool restores_old_stack(const struct cofl_loop *loop, LLVMValueRef call)
{
	LLVMValueRef saved = LLVMGetOperand(call, 0);

	return !LLVMIsACallInst(saved) ||
	       !begins(cofl_osr_entry_callee_name(saved), "llvm.stacksave") ||
	       is_live(loop, saved);
}

/* Put calls that are hazards into the list. True: no frame can be left. */
static bool find_hazards(struct cofl_list *calls, const struct cofl_loops *l)
{
	bool all = false;

	for (uint32_t b = 0; b < l->n_blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(l->block[b]);

		for (; i != NULL; i = LLVMGetNextInstruction(i)) {
			enum hazard hazard = hazard_of(i);

			all |= hazard == FUNCTION;
			if (hazard == STACK || hazard == FRAME)
				*(LLVMValueRef *)cofl_list_add(calls, 1) = i;
		}
	}
	return all;
}

/* Can control come from this header to one of them? */
static bool reaches_hazard(const struct cofl_list *calls,
			   const struct cofl_loops *l,
			   const struct cofl_loop *loop)
{
	const LLVMValueRef *call = (const void *)calls->at;
	struct cofl_map seen = { 0 };
	bool found = false;

	if (calls->n == 0)
		return false;
	cofl_llvm_shim_reach(l->block[loop->header], &seen);
	for (size_t i = 0; i < calls->n && !found; i++)
		found = cofl_map_get(&seen,
				     LLVMGetInstructionParent(call[i])) &&
			(hazard_of(call[i]) == FRAME ||
			 restores_old_stack(loop, call[i]));
	cofl_map_free(&seen);
	return found;
}

/* -- Values ---------------------------------------------------------------- */

/* Can values of this type be stored, and loaded again? */
static bool is_storable(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
	case LLVMIntegerTypeKind:
	case LLVMVectorTypeKind:
		return true;
	case LLVMPointerTypeKind:
		return LLVMGetPointerAddressSpace(type) == 0;
	case LLVMArrayTypeKind:
		return is_storable(LLVMGetElementType(type));
	case LLVMStructTypeKind:
		for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
			if (!is_storable(LLVMStructGetTypeAtIndex(type, i)))
				return false;
		return LLVMTypeIsSized(type);
	default:
		return false;
	}
}

/* Do all uses end in indirect branches and comparisons? */
static bool is_only_jumped_to(LLVMValueRef v, struct cofl_map *seen)
{
	if (cofl_map_get(seen, v) != NULL)
		return true;
	cofl_map_put(seen, v, v);
	for (LLVMUseRef u = LLVMGetFirstUse(v); u != NULL;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);

		switch (LLVMGetInstructionOpcode(i)) {
		case LLVMIndirectBr:
		case LLVMICmp:
			break;
		case LLVMPHI:
		case LLVMSelect:
		case LLVMFreeze:
			if (!is_only_jumped_to(i, seen))
				return false;
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool is_blockaddress(LLVMValueRef v)
{
	struct cofl_map seen = { 0 };
	bool is = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
		  is_only_jumped_to(v, &seen);

	cofl_map_free(&seen);
	return is;
}

/* Give the value a place in the buffer. False: it cannot be handed over. */
static bool place_value(struct cofl_osr_entry *e, uint32_t i, LLVMValueRef v,
			LLVMTargetDataRef layout,
			const struct cofl_map *marked, uint64_t *at)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	uint64_t align;

	if (LLVMIsACallBrInst(v) || !is_storable(type))
		return false;
	if (cofl_map_get(marked, v) != NULL) {
		e->is_blockaddress[i] = is_blockaddress(v);
		if (!e->is_blockaddress[i])
			return false;
	}
	align = LLVMABIAlignmentOfType(layout, type);
	if (align > COFL_OSR_ENTRY_ALIGN)
		align = COFL_OSR_ENTRY_ALIGN;
	*at = (*at + align - 1) & ~(align - 1);
	e->offset[i] = (uint32_t)*at;
	*at += LLVMABISizeOfType(layout, type);
	return *at < (1u << 20);
}

/* Control comes to a landing pad by unwinding only. */
static bool is_landing_pad(LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	return LLVMIsALandingPadInst(i);
}

static void find_targets(struct cofl_osr_entries *s)
{
	struct cofl_map seen = { 0 };

	s->target = cofl_xcalloc(s->loops.n_blocks, sizeof(LLVMBasicBlockRef));
	for (uint32_t b = 0; b < s->loops.n_blocks; b++) {
		LLVMValueRef end =
			LLVMGetBasicBlockTerminator(s->loops.block[b]);

		for (unsigned i = 0; LLVMIsAIndirectBrInst(end) &&
				     i < LLVMGetNumSuccessors(end); i++) {
			LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

			if (cofl_map_get(&seen, to) != NULL)
				continue;
			cofl_map_put(&seen, to, to);
			s->target[s->n_targets++] = to;
		}
	}
	cofl_map_free(&seen);
}

void cofl_osr_entry_find(struct cofl_osr_entries *s, LLVMValueRef f,
			 LLVMTargetDataRef layout)
{
	struct cofl_loops *l = &s->loops;
	struct cofl_list hazards = { .size = sizeof(LLVMValueRef) };
	struct cofl_map marked = { 0 };

	*s = (struct cofl_osr_entries){ 0 };
	cofl_loops_find(l, f);
	s->entry = cofl_xcalloc(l->n_loops, sizeof(*s->entry));
	if (l->n_loops == 0 || is_excluded(f))
		return;
	find_targets(s);
	if (find_hazards(&hazards, l))
		goto out;
	if (s->n_targets != 0)
		cofl_blockaddress_marks(f, &marked);
	for (uint32_t k = 0; k < l->n_loops; k++) {
		struct cofl_loop *loop = &l->loop[k];
		struct cofl_osr_entry *e = &s->entry[k];
		uint64_t at = s->n_targets ? sizeof(void *) : 0;

		e->offset = cofl_xcalloc(loop->n_live, sizeof(*e->offset));
		e->is_blockaddress = cofl_xcalloc(loop->n_live, sizeof(bool));
		e->possible = !is_landing_pad(l->block[loop->header]) &&
			      !reaches_hazard(&hazards, l, loop);
		for (uint32_t i = 0; i < loop->n_live && e->possible; i++)
			e->possible = place_value(e, i, loop->live[i], layout,
						  &marked, &at);
		s->n_possible += e->possible;
		if (e->possible && at > s->bytes)
			s->bytes = (uint32_t)at;
	}
out:
	cofl_list_free(&hazards);
	cofl_map_free(&marked);
}

void cofl_osr_entry_free(struct cofl_osr_entries *s)
{
	for (uint32_t k = 0; k < s->loops.n_loops; k++) {
		free(s->entry[k].offset);
		free(s->entry[k].is_blockaddress);
	}
	free(s->entry);
	free(s->target);
	cofl_loops_free(&s->loops);
}
