/*
 * osr_turns.c - see osr_turns.h
 */
#include "points/osr_turns.h"

#include "ir/copy.h"
#include "ir/llvm_shim.h"
#include "link/osr_points.h"

static LLVMTypeRef word(struct cofl_clone *unit)
{
	return LLVMInt64TypeInContext(unit->copy->context);
}

static LLVMValueRef constant(struct cofl_clone *unit, uint64_t n)
{
	return LLVMConstInt(word(unit), n, 0);
}

/* A number that other threads may read or write meanwhile. */
static void relax(LLVMValueRef access)
{
	LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
	LLVMSetAlignment(access, sizeof(uint64_t));
}

/* -- The induction variable ------------------------------------------------ */

/* By what does `next` differ from the PHI? 0: not by a constant. */
static int64_t step_of(LLVMValueRef phi, LLVMValueRef next)
{
	LLVMValueRef by;

	if (!LLVMIsABinaryOperator(next) ||
	    LLVMGetInstructionOpcode(next) != LLVMAdd ||
	    LLVMGetOperand(next, 0) != phi)
		return 0;
	by = LLVMGetOperand(next, 1);
	return LLVMIsAConstantInt(by) ? LLVMConstIntGetSExtValue(by) : 0;
}

/*
 * Does it change by one constant, on each way round? Returns that, and in
 * *entry the number of the only other way in that is reached; 0: no.
 */
static int64_t step(LLVMValueRef phi, const struct cofl_map *reached,
		    unsigned *entry)
{
	unsigned n = LLVMCountIncoming(phi), ways_in = 0;
	int64_t by = 0;

	for (unsigned i = 0; i < n; i++) {
		int64_t s = step_of(phi, LLVMGetIncomingValue(phi, i));

		if (cofl_map_get(reached, LLVMGetIncomingBlock(phi, i)) == NULL)
			continue;
		if (s == 0) {
			*entry = i;
			ways_in++;
		} else if (by == 0 || s == by) {
			by = s;
		} else {
			return 0;
		}
	}
	/* A variable that nothing else uses is not handed over. */
	if (ways_in != 1 || LLVMIsPoison(LLVMGetIncomingValue(phi, *entry)))
		return 0;
	return by;
}

/* Let the PHI, which comes from `entry`, tell the turns. */
static void take(struct cofl_clone *unit, struct cofl_osr_turns *t,
		 LLVMValueRef phi, unsigned entry, LLVMValueRef n)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef first = LLVMGetIncomingValue(phi, entry);

	LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(
					  LLVMGetIncomingBlock(phi, entry)));
	first = LLVMBuildZExt(builder, first, word(unit), "");
	first = t->down ? LLVMBuildAdd(builder, n, first, "") :
			  LLVMBuildSub(builder, n, first, "");
	LLVMBuildStore(builder, first, t->from);
	t->iv = phi;
}

static void find_variable(struct cofl_clone *unit, struct cofl_osr_turns *t,
			  LLVMValueRef to, LLVMBasicBlockRef header,
			  LLVMValueRef n)
{
	struct cofl_map reached = { 0 };
	LLVMValueRef phi = LLVMGetFirstInstruction(header);

	cofl_llvm_shim_reach(LLVMGetEntryBasicBlock(to), &reached);
	for (; t->iv == NULL && LLVMIsAPHINode(phi);
	     phi = LLVMGetNextInstruction(phi)) {
		LLVMTypeRef type = LLVMTypeOf(phi);
		unsigned entry = 0;
		int64_t by;

		if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
		    LLVMGetIntTypeWidth(type) > 64)
			continue;
		by = step(phi, &reached, &entry);
		t->down = by < 0;
		if (by != 0)
			take(unit, t, phi, entry, n);
	}
	cofl_map_free(&reached);
}

/* -- All of it ------------------------------------------------------------- */

struct cofl_osr_turns cofl_osr_turns_begin(struct cofl_clone *unit,
					   LLVMValueRef to,
					   LLVMBasicBlockRef header)
{
	struct cofl_turns *all = unit->points->turns;
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMTypeRef slots = LLVMArrayType2(
		LLVMInt8TypeInContext(unit->copy->context),
		sizeof(all->slot[0]));
	struct cofl_osr_turns t = { 0 };
	LLVMValueRef i, n;

	if (all == NULL)
		return t;
	LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(
					  LLVMGetEntryBasicBlock(to)));
	t.n = LLVMBuildAlloca(builder, word(unit), "");
	t.from = LLVMBuildAlloca(builder, word(unit), "");
	t.at = LLVMBuildAlloca(builder, cofl_clone_pointer(unit), "");
	i = LLVMBuildAtomicRMW(builder, LLVMAtomicRMWBinOpAdd,
			       cofl_clone_address(unit, &all->taken),
			       constant(unit, 1), LLVMAtomicOrderingMonotonic,
			       0);
	i = LLVMBuildURem(builder, i, constant(unit, COFL_OSR_TURN_SLOTS), "");
	t.slot = LLVMBuildGEP2(builder, slots,
			       cofl_clone_address(unit, all->slot), &i, 1,
			       "");
	LLVMBuildStore(builder, t.slot, t.at);
	n = LLVMBuildLoad2(builder, word(unit), t.slot, "");
	relax(n);
	/* The frame passes the point that it comes in by. That is no turn. */
	LLVMBuildStore(builder, LLVMBuildSub(builder, n, constant(unit, 1), ""),
		       t.n);
	if (header != NULL)
		find_variable(unit, &t, to, header, n);
	return t;
}

/* From memory each time: no register holds it, and the optimizer makes no
 * second induction variable of the sum. */
static LLVMValueRef reload(struct cofl_clone *unit, LLVMTypeRef type,
			   LLVMValueRef variable)
{
	LLVMValueRef v = LLVMBuildLoad2(unit->copy->builder, type, variable,
					"");

	LLVMSetVolatile(v, 1);
	return v;
}

void cofl_osr_turns_count(struct cofl_clone *unit,
			  const struct cofl_osr_turns *t)
{
	LLVMBuilderRef builder = unit->copy->builder;
	LLVMValueRef n, from, slot = t->slot;

	if (t->slot == NULL)
		return;
	if (t->iv != NULL) {
		slot = reload(unit, cofl_clone_pointer(unit), t->at);
		from = reload(unit, word(unit), t->from);
		n = LLVMBuildZExt(builder, t->iv, word(unit), "");
		n = t->down ? LLVMBuildSub(builder, from, n, "") :
			      LLVMBuildAdd(builder, from, n, "");
	} else {
		/* The optimizer keeps the variable in a register. */
		n = LLVMBuildLoad2(builder, word(unit), t->n, "");
		n = LLVMBuildAdd(builder, n, constant(unit, 1), "");
		LLVMBuildStore(builder, n, t->n);
	}
	relax(LLVMBuildStore(builder, n, slot));
}
