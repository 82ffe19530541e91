/*
 * osr_entry.c - which headers can be entered from elsewhere; see osr_entry.h
 */
#include "points/osr_entry.h"

#include <stdlib.h>
#include <string.h>

#include "ir/attribute.h"
#include "support/fatal.h"
#include "ir/blockaddress.h"
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

/* -- What forbids it -------------------------------------------------------- */

/*
 * How far what an instruction does is bound to the frame it runs in. MINE: it
 * must not run in a continuation. ALL: no frame that may have run it can be
 * left, for it may come back to what it was then.
 */
enum bond { NONE, MINE, ALL };

static enum bond bond_of_call(LLVMValueRef call)
{
	/* About this frame: its arguments, where it returns to. */
	static const char *const mine[] = {
		"llvm.va_start", "llvm.returnaddress", "llvm.frameaddress",
		"llvm.addressofreturnaddress", "llvm.sponentry",
		"llvm.localescape", "llvm.experimental.deoptimize",
		"llvm.call.preallocated",
	};
	static const char *const all[] = {
		"llvm.eh.sjlj", "llvm.coro.", "llvm.eh.return",
		"llvm.gcroot", "llvm.experimental.gc",
	};
	LLVMValueRef f = LLVMGetCalledValue(call);
	const char *name = cofl_osr_entry_callee_name(call);
	unsigned twice = cofl_attribute_kind("returns_twice");

	if (LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex,
					 twice) != NULL)
		return ALL;
	if (f != NULL && LLVMIsAFunction(f) &&
	    cofl_attribute_has(f, "returns_twice"))
		return ALL;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (begins(name, all[i]))
			return ALL;
	/* It promises that the stack does not grow. */
	if (LLVMIsACallInst(call) &&
	    LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
		return MINE;
	for (size_t i = 0; i < sizeof(mine) / sizeof(*mine); i++)
		if (begins(name, mine[i]))
			return MINE;
	return NONE;
}

static enum bond bond_of(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
	case LLVMInvoke:
		return bond_of_call(i);
	case LLVMCatchSwitch:
	case LLVMCatchPad:
	case LLVMCleanupPad:
		return ALL;
	default:
		return NONE;
	}
}

/* Of a function as such. */
static bool is_left_alone(LLVMValueRef f)
{
	static const char *const mine[] = {
		"naked", "presplitcoroutine", "optnone", "returns_twice" };
	static const char *const params[] = {
		"swifterror", "swiftasync", "inalloca", "preallocated" };
	LLVMAttributeIndex n = (LLVMAttributeIndex)LLVMCountParams(f);

	for (size_t i = 0; i < sizeof(mine) / sizeof(*mine); i++)
		if (cofl_attribute_has(f, mine[i]))
			return true;
	for (LLVMAttributeIndex at = 1; at <= n; at++)
		for (size_t i = 0; i < sizeof(params) / sizeof(*params); i++)
			if (cofl_attribute_has_at(f, at, params[i]))
				return true;
	return LLVMGetGC(f) != NULL;
}

static bool is_alive(const struct cofl_loop *loop, LLVMValueRef v)
{
	for (uint32_t i = 0; i < loop->n_live; i++)
		if (loop->live[i] == v)
			return true;
	return false;
}

/*
 * A stack pointer that was saved before belongs to the frame that is left: it
 * must not be restored in another one.
 */
static bool restores_mine(const struct cofl_loop *loop, LLVMValueRef call)
{
	LLVMValueRef saved;

	if (!begins(cofl_osr_entry_callee_name(call), "llvm.stackrestore"))
		return false;
	saved = LLVMGetOperand(call, 0);
	return !LLVMIsACallInst(saved) ||
	       !begins(cofl_osr_entry_callee_name(saved), "llvm.stacksave") ||
	       is_alive(loop, saved);
}

struct hazards {
	LLVMValueRef  *at;
	uint32_t       n, room;
	bool           all;
};

static void note_hazards(struct hazards *h, const struct cofl_loops *l)
{
	for (uint32_t b = 0; b < l->n_blocks; b++) {
		LLVMValueRef i = LLVMGetFirstInstruction(l->block[b]);

		for (; i != NULL; i = LLVMGetNextInstruction(i)) {
			enum bond bond = bond_of(i);

			h->all |= bond == ALL;
			if (bond != MINE &&
			    (!LLVMIsACallInst(i) ||
			     !begins(cofl_osr_entry_callee_name(i), "llvm.stackrestore")))
				continue;
			if (h->n == h->room) {
				h->room = h->room ? 2 * h->room : 8;
				h->at = realloc(h->at,
						h->room * sizeof(*h->at));
				if (h->at == NULL)
					cofl_fatal("out of memory");
			}
			h->at[h->n++] = i;
		}
	}
}

/* May one of them be met after this header? */
static bool meets(const struct hazards *h, const struct cofl_loops *l,
		  const struct cofl_loop *loop)
{
	struct cofl_map seen = { 0 };
	bool found = false;

	if (h->n == 0)
		return false;
	cofl_llvm_shim_reach(l->block[loop->header], &seen);
	for (uint32_t i = 0; i < h->n && !found; i++)
		found = cofl_map_get(&seen,
				     LLVMGetInstructionParent(h->at[i])) &&
			(bond_of(h->at[i]) == MINE ||
			 restores_mine(loop, h->at[i]));
	cofl_map_free(&seen);
	return found;
}

/* -- Values ----------------------------------------------------------------- */

/* Can it be stored, and loaded again? */
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

/* Is all that becomes of it a jump, or a comparison? */
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

static bool is_label(LLVMValueRef v)
{
	struct cofl_map seen = { 0 };
	bool is = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind &&
		  is_only_jumped_to(v, &seen);

	cofl_map_free(&seen);
	return is;
}

/* Place a value; false: it cannot be handed over. */
static bool lay_out(struct cofl_osr_entry *e, uint32_t i, LLVMValueRef v,
		    LLVMTargetDataRef layout, const struct cofl_map *marked,
		    uint64_t *at)
{
	LLVMTypeRef type = LLVMTypeOf(v);
	uint64_t align;

	if (LLVMIsACallBrInst(v) || !is_storable(type))
		return false;
	if (cofl_map_get(marked, v) != NULL) {
		e->label[i] = is_label(v);
		if (!e->label[i])
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
static bool is_landing(LLVMBasicBlockRef block)
{
	LLVMValueRef i = LLVMGetFirstInstruction(block);

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	return LLVMIsALandingPadInst(i);
}

static void note_targets(struct cofl_osr_entries *s)
{
	struct cofl_map seen = { 0 };

	s->target = cofl_xcalloc(s->loops.n_blocks, sizeof(LLVMBasicBlockRef));
	for (uint32_t b = 0; b < s->loops.n_blocks; b++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(
			s->loops.block[b]);

		if (!LLVMIsAIndirectBrInst(end))
			continue;
		for (unsigned i = 0, n = LLVMGetNumSuccessors(end); i < n; i++) {
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
	struct hazards h = { 0 };
	struct cofl_map marked = { 0 };

	*s = (struct cofl_osr_entries){ 0 };
	cofl_loops_find(l, f);
	s->gate = cofl_xcalloc(l->n_loops, sizeof(*s->gate));
	if (l->n_loops == 0 || is_left_alone(f))
		return;
	note_hazards(&h, l);
	note_targets(s);
	if (s->n_targets != 0 && !h.all)
		cofl_blockaddress_marks(f, &marked);
	for (uint32_t k = 0; k < l->n_loops && !h.all; k++) {
		struct cofl_loop *loop = &l->loop[k];
		struct cofl_osr_entry *e = &s->gate[k];
		uint64_t at = s->n_targets ? sizeof(void *) : 0;

		e->offset = cofl_xcalloc(loop->n_live, sizeof(*e->offset));
		e->label = cofl_xcalloc(loop->n_live, sizeof(*e->label));
		e->possible = !is_landing(l->block[loop->header]) &&
			      !meets(&h, l, loop);
		for (uint32_t i = 0; i < loop->n_live && e->possible; i++)
			e->possible = lay_out(e, i, loop->live[i], layout,
					      &marked, &at);
		s->n_possible += e->possible;
		if (e->possible && at > s->bytes)
			s->bytes = (uint32_t)at;
	}
	free(h.at);
	cofl_map_free(&marked);
}

void cofl_osr_entry_free(struct cofl_osr_entries *s)
{
	for (uint32_t k = 0; k < s->loops.n_loops; k++) {
		free(s->gate[k].offset);
		free(s->gate[k].label);
	}
	free(s->gate);
	free(s->target);
	cofl_loops_free(&s->loops);
}
