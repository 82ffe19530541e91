/*
 * osr_continue.c - make a continuation of a clone
 *
 *	entry: load live values        the clone's own entry is never reached,
 *	   |                           nor what only leads to the loop
 *	   v
 *	rest of the loop's header <--- PHIs <--- around
 *
 * A live value now has two definitions, its own and the one loaded. It is kept
 * in a variable, stored by either and loaded at each use; the optimizer makes
 * values of these again.
 */
#include "osr.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Target.h>

#include "copy.h"
#include "fatal.h"

struct continuing {
	struct cofl_unit *unit;
	LLVMBuilderRef    builder;
	LLVMContextRef    context;
	LLVMTypeRef       ptr;
	LLVMValueRef      to;
	const struct cofl_loop *loop;
	const struct cofl_gate *gate;
	LLVMBasicBlockRef entry;
	LLVMBasicBlockRef last;		/* entry, or what follows it */
	LLVMValueRef     *live;		/* in the clone */
	LLVMValueRef     *loaded;
	bool             *moved;	/* a variable that is given a new place */
	LLVMValueRef      buffer;	/* for the next one; NULL: none so far */
	struct cofl_map   reached;	/* blocks, from the rest of the header */
};

static void *room_for(size_t n, size_t bytes)
{
	void *p = calloc(n + 1, bytes);

	if (p == NULL)
		cofl_fatal("out of memory");
	return p;
}

static unsigned kind_of(const char *name)
{
	return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

/* What the function promises as a whole, and may not of its end. */
static bool is_kept(LLVMAttributeRef a)
{
	static const char *const not_kept[] = {
		"memory", "allocsize", "allockind", "alwaysinline", "noinline",
		"minsize", "optsize", "cold", "noreturn", "speculatable",
		"norecurse", "willreturn", "jumptable", "inlinehint",
	};

	if (LLVMIsStringAttribute(a))
		return true;
	for (size_t i = 0; i < sizeof(not_kept) / sizeof(*not_kept); i++)
		if (LLVMGetEnumAttributeKind(a) == kind_of(not_kept[i]))
			return false;
	return true;
}

LLVMValueRef cofl_osr_declare(struct cofl_unit *unit, LLVMValueRef f,
			      const char *name)
{
	LLVMTypeRef ptr = LLVMPointerTypeInContext(unit->copy->context, 0);
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(f));
	LLVMValueRef to = LLVMAddFunction(
		unit->module, name, LLVMFunctionType(result, &ptr, 1, 0));
	unsigned n = LLVMGetAttributeCountAtIndex(f, LLVMAttributeFunctionIndex);
	LLVMAttributeRef *a = room_for(n, sizeof(LLVMAttributeRef));

	LLVMGetAttributesAtIndex(f, LLVMAttributeFunctionIndex, a);
	for (unsigned i = 0; i < n; i++)
		if (is_kept(a[i]))
			LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex,
						a[i]);
	free(a);
	LLVMSetVisibility(to, LLVMHiddenVisibility);
	if (LLVMHasPersonalityFn(f))
		LLVMSetPersonalityFn(to, cofl_unit_constant(
			unit, LLVMGetPersonalityFn(f)));
	return to;
}

/* -- The entry -------------------------------------------------------------- */

static LLVMValueRef at_offset(struct continuing *c, LLVMValueRef base,
			      LLVMTypeRef element, LLVMValueRef index)
{
	return LLVMBuildGEP2(c->builder, element, base, &index, 1, "");
}

static LLVMValueRef number(struct continuing *c, uint64_t v)
{
	return LLVMConstInt(LLVMInt32TypeInContext(c->context), v, 0);
}

static LLVMValueRef load(struct continuing *c, LLVMTypeRef type,
			 uint32_t offset)
{
	LLVMTypeRef i8 = LLVMInt8TypeInContext(c->context);
	LLVMValueRef v = LLVMBuildLoad2(c->builder, type, at_offset(
		c, LLVMGetParam(c->to, 0), i8, number(c, offset)), "");

	if (LLVMGetAlignment(v) > COFL_GATE_ALIGN)
		LLVMSetAlignment(v, COFL_GATE_ALIGN);
	return v;
}

static LLVMBasicBlockRef new_block(struct continuing *c)
{
	return LLVMAppendBasicBlockInContext(c->context, c->to, "");
}

/*
 * A label's address as it is in this clone: its place in the table of the code
 * that was left is its place in ours. What is in no table is no label that will
 * be jumped to.
 */
static LLVMValueRef translate(struct continuing *c, LLVMValueRef label,
			      LLVMValueRef theirs, LLVMValueRef ours)
{
	uint32_t n = c->unit->gates->n_targets;
	LLVMBasicBlockRef before = c->last, look = new_block(c);
	LLVMBasicBlockRef next = new_block(c), found = new_block(c);
	LLVMBasicBlockRef after = new_block(c);
	LLVMValueRef i, more, v, first = number(c, 0);

	LLVMBuildBr(c->builder, look);
	LLVMPositionBuilderAtEnd(c->builder, look);
	i = LLVMBuildPhi(c->builder, LLVMTypeOf(first), "");
	v = LLVMBuildLoad2(c->builder, c->ptr,
			   at_offset(c, theirs, c->ptr, i), "");
	LLVMBuildCondBr(c->builder, LLVMBuildICmp(c->builder, LLVMIntEQ, v,
						  label, ""), found, next);
	LLVMPositionBuilderAtEnd(c->builder, next);
	more = LLVMBuildAdd(c->builder, i, number(c, 1), "");
	LLVMBuildCondBr(c->builder, LLVMBuildICmp(c->builder, LLVMIntULT, more,
						  number(c, n), ""),
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

static void load_all(struct continuing *c, LLVMValueRef labels)
{
	LLVMValueRef theirs = NULL;

	LLVMPositionBuilderAtEnd(c->builder, c->last);
	if (c->unit->gates->n_targets != 0)
		theirs = load(c, c->ptr, 0);
	for (uint32_t i = 0; i < c->loop->n_live; i++) {
		c->loaded[i] = load(c, LLVMTypeOf(c->live[i]),
				    c->gate->offset[i]);
		if (c->gate->label[i])
			c->loaded[i] = translate(c, c->loaded[i], theirs,
						 labels);
	}
}

/* What stood for parameters is what was loaded, or will not be used. */
static void replace_params(struct continuing *c, LLVMValueRef params)
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

/* -- Other marks ------------------------------------------------------------ */

/* At the header of an outer loop: go on in its continuation. */
static void go_to_next(struct continuing *c, const struct cofl_mark *mark,
		       LLVMValueRef next)
{
	uint32_t n = c->unit->gates->loops.loop[mark->loop].n_live;
	LLVMValueRef *live = room_for(n, sizeof(LLVMValueRef));
	LLVMBasicBlockRef head;

	for (uint32_t i = 0; i < n; i++)
		live[i] = cofl_mark_live(mark, i);
	if (c->buffer == NULL)
		c->buffer = cofl_osr_buffer(c->unit, c->to);
	head = cofl_osr_split(c->unit, mark);
	LLVMPositionBuilderAtEnd(c->builder, head);
	cofl_osr_store(c->unit, mark->loop, mark->labels, live, c->buffer);
	cofl_osr_leave(c->unit, c->to, next, c->buffer);
	free(live);
}

/* -- Variables -------------------------------------------------------------- */

/* They must name a variable of this frame, and now may not. */
static void drop_lifetimes(struct continuing *c)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->to); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef i = LLVMGetFirstInstruction(b), next;

		for (; i != NULL; i = next) {
			const char *name = LLVMIsACallInst(i) ?
					   cofl_callee_name(i) : NULL;

			next = LLVMGetNextInstruction(i);
			if (name && strncmp(name, "llvm.lifetime.", 14) == 0)
				LLVMInstructionEraseFromParent(i);
		}
	}
}

/* May a call keep the address it is given, or hand it on? */
static bool keeps(LLVMValueRef call, LLVMValueRef address)
{
	unsigned n = LLVMGetNumArgOperands(call);
	const char *name = cofl_callee_name(call);
	unsigned kind = kind_of("captures");

	if (LLVMGetCalledValue(call) == address)
		return true;
	if (name != NULL && (strncmp(name, "llvm.memcpy.", 12) == 0 ||
			     strncmp(name, "llvm.memmove.", 13) == 0 ||
			     strncmp(name, "llvm.memset.", 12) == 0))
		return false;
	for (unsigned i = 0; i < n; i++) {
		LLVMAttributeRef a;

		if (LLVMGetOperand(call, i) != address)
			continue;
		a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
		if (a == NULL && name != NULL)
			a = LLVMGetEnumAttributeAtIndex(
				LLVMGetCalledValue(call), i + 1, kind);
		if (a == NULL || LLVMGetEnumAttributeValue(a) != 0)
			return true;
	}
	return false;
}

static bool is_live(const struct continuing *c, LLVMValueRef v)
{
	for (uint32_t i = 0; i < c->loop->n_live; i++)
		if (c->live[i] == v)
			return true;
	return false;
}

/* Is this store for the next continuation, which takes the variable over? */
static bool hands_over(const struct continuing *c, LLVMValueRef store)
{
	LLVMValueRef to = LLVMGetOperand(store, 1);

	return c->buffer != NULL && LLVMIsAGetElementPtrInst(to) &&
	       LLVMGetOperand(to, 0) == c->buffer;
}

/*
 * Does nobody but these instructions know where the variable is? Then it may be
 * elsewhere from here on. An address in it that is alive itself would lead to
 * the old place.
 */
static bool is_private(const struct continuing *c, LLVMValueRef address)
{
	for (LLVMUseRef u = LLVMGetFirstUse(address); u != NULL;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);

		switch (LLVMGetInstructionOpcode(i)) {
		case LLVMLoad:
			break;
		case LLVMStore:
			if (LLVMGetOperand(i, 0) == address &&
			    !hands_over(c, i))
				return false;
			break;
		case LLVMGetElementPtr:
			if (is_live(c, i) || !is_private(c, i))
				return false;
			break;
		case LLVMCall:
			if (keeps(i, address))
				return false;
			break;
		default:
			return false;
		}
	}
	return true;
}

/* A variable of this frame with what is in that of the old one. */
static LLVMValueRef move_variable(struct continuing *c, LLVMValueRef variable,
				  LLVMValueRef old)
{
	LLVMTypeRef type = LLVMGetAllocatedType(variable);
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(c->unit->module);
	unsigned align = LLVMGetAlignment(variable);
	LLVMValueRef size, fresh;

	LLVMPositionBuilderBefore(c->builder, LLVMGetFirstInstruction(c->entry));
	fresh = LLVMBuildAlloca(c->builder, type, "");
	LLVMSetAlignment(fresh, align);
	size = LLVMConstInt(LLVMInt64TypeInContext(c->context),
			    LLVMABISizeOfType(layout, type), 0);
	LLVMPositionBuilderBefore(c->builder,
				  LLVMGetBasicBlockTerminator(c->last));
	LLVMBuildMemCpy(c->builder, fresh, align, old, align, size);
	return fresh;
}

static bool is_simple(LLVMValueRef variable)
{
	LLVMValueRef n = LLVMGetOperand(variable, 0);

	return LLVMIsAConstantInt(n) && LLVMConstIntGetZExtValue(n) == 1;
}

/* -- Values with two definitions -------------------------------------------- */

static void note_reached(struct continuing *c, LLVMBasicBlockRef from)
{
	LLVMBasicBlockRef *todo = room_for(LLVMCountBasicBlocks(c->to),
					   sizeof(LLVMBasicBlockRef));
	uint32_t n = 0;

	cofl_map_put(&c->reached, from, from);
	todo[n++] = from;
	while (n > 0) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(todo[--n]);

		for (unsigned i = 0, k = LLVMGetNumSuccessors(end); i < k; i++) {
			LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);

			if (cofl_map_get(&c->reached, to) != NULL)
				continue;
			cofl_map_put(&c->reached, to, to);
			todo[n++] = to;
		}
	}
	free(todo);
}

/* The PHI, coming from block `now` where it came from `was`. */
static void redirect_phi(struct continuing *c, LLVMValueRef phi,
			 LLVMBasicBlockRef was, LLVMBasicBlockRef now)
{
	unsigned n = LLVMCountIncoming(phi);
	LLVMValueRef fresh;

	LLVMPositionBuilderBefore(c->builder, phi);
	fresh = LLVMBuildPhi(c->builder, LLVMTypeOf(phi), "");
	if (LLVMCanValueUseFastMathFlags(phi))
		LLVMSetFastMathFlags(fresh, LLVMGetFastMathFlags(phi));
	for (unsigned i = 0; i < n; i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef v = LLVMGetIncomingValue(phi, i);

		if (v == phi)
			v = fresh;
		if (from == was)
			from = now;
		LLVMAddIncoming(fresh, &v, &from, 1);
	}
	for (uint32_t i = 0; i < c->loop->n_live; i++)
		if (c->live[i] == phi)
			c->live[i] = fresh;
	LLVMReplaceAllUsesWith(phi, fresh);
	LLVMInstructionEraseFromParent(phi);
}

/* A block of its own on an invoke's way on, where its result is there. */
static LLVMBasicBlockRef split_invoke(struct continuing *c, LLVMValueRef invoke)
{
	LLVMBasicBlockRef from = LLVMGetInstructionParent(invoke);
	LLVMBasicBlockRef to = LLVMGetNormalDest(invoke), middle = new_block(c);
	LLVMValueRef i, next;

	LLVMPositionBuilderAtEnd(c->builder, middle);
	LLVMBuildBr(c->builder, to);
	LLVMSetNormalDest(invoke, middle);
	cofl_map_put(&c->reached, middle, middle);
	for (i = LLVMGetFirstInstruction(to); LLVMIsAPHINode(i); i = next) {
		next = LLVMGetNextInstruction(i);
		redirect_phi(c, i, from, middle);
	}
	return middle;
}

/* Before which instruction is the value stored, once it is there? */
static LLVMValueRef after(struct continuing *c, LLVMValueRef v)
{
	LLVMValueRef i;

	if (LLVMIsAInvokeInst(v))
		return LLVMGetFirstInstruction(split_invoke(c, v));
	i = LLVMGetNextInstruction(v);
	while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i))
		i = LLVMGetNextInstruction(i);
	return i;
}

static LLVMValueRef load_before(struct continuing *c, LLVMValueRef variable,
				LLVMTypeRef type, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(c->builder, i);
	return LLVMBuildLoad2(c->builder, type, variable, "");
}

/* All uses of v by this PHI, at the end of the blocks they come from. */
static void load_for_phi(struct continuing *c, LLVMValueRef phi, LLVMValueRef v,
			 LLVMValueRef variable)
{
	unsigned n = LLVMCountIncoming(phi);

	for (unsigned i = 0; i < n; i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef loaded;

		if (LLVMGetIncomingValue(phi, i) != v)
			continue;
		loaded = load_before(c, variable, LLVMTypeOf(v),
				     LLVMGetBasicBlockTerminator(from));
		/* One block, more than once: one value. */
		for (unsigned k = i; k < n; k++)
			if (LLVMGetIncomingBlock(phi, k) == from)
				LLVMSetOperand(phi, k, loaded);
	}
}

/* All but `stored`. */
static void load_at_uses(struct continuing *c, LLVMValueRef v,
			 LLVMValueRef variable, LLVMValueRef stored)
{
	LLVMValueRef *user;
	uint32_t n = 0;

	for (LLVMUseRef u = LLVMGetFirstUse(v); u != NULL;
	     u = LLVMGetNextUse(u))
		n++;
	user = room_for(n, sizeof(LLVMValueRef));
	n = 0;
	for (LLVMUseRef u = LLVMGetFirstUse(v); u != NULL;
	     u = LLVMGetNextUse(u))
		user[n++] = LLVMGetUser(u);
	for (uint32_t i = 0; i < n; i++) {
		int k = LLVMGetNumOperands(user[i]);
		LLVMValueRef loaded = NULL;

		if (user[i] == stored)
			continue;
		if (LLVMIsAPHINode(user[i])) {
			load_for_phi(c, user[i], v, variable);
			continue;
		}
		while (k-- > 0) {
			if (LLVMGetOperand(user[i], (unsigned)k) != v)
				continue;
			if (loaded == NULL)
				loaded = load_before(c, variable, LLVMTypeOf(v),
						     user[i]);
			LLVMSetOperand(user[i], (unsigned)k, loaded);
		}
	}
	free(user);
}

static void demote(struct continuing *c, uint32_t i)
{
	LLVMValueRef variable, at, stored;

	/* First what changes PHIs, which may be live values. */
	at = after(c, c->live[i]);
	LLVMPositionBuilderBefore(c->builder, LLVMGetFirstInstruction(c->entry));
	variable = LLVMBuildAlloca(c->builder, LLVMTypeOf(c->live[i]), "");
	/* The store comes before the loads: one may stand right behind it. */
	LLVMPositionBuilderBefore(c->builder, at);
	stored = LLVMBuildStore(c->builder, c->live[i], variable);
	load_at_uses(c, c->live[i], variable, stored);
	LLVMPositionBuilderBefore(c->builder,
				  LLVMGetBasicBlockTerminator(c->last));
	LLVMBuildStore(c->builder, c->loaded[i], variable);
}

static bool is_reached(const struct continuing *c, LLVMValueRef v)
{
	return cofl_map_get(&c->reached, LLVMGetInstructionParent(v)) != NULL;
}

/* Before any of them is connected: that changes what uses what. */
static void find_moved(struct continuing *c)
{
	for (uint32_t i = 0; i < c->loop->n_live; i++) {
		LLVMValueRef v = c->live[i];

		c->moved[i] = v != NULL && LLVMIsAAllocaInst(v) &&
			      !is_reached(c, v) && is_simple(v) &&
			      is_private(c, v);
	}
}

static void connect(struct continuing *c, uint32_t i)
{
	LLVMValueRef v = c->live[i], now = c->loaded[i];

	if (v == NULL)
		return;
	if (is_reached(c, v)) {
		demote(c, i);
		return;
	}
	/* Defined in what is never reached any more. */
	if (c->moved[i])
		now = move_variable(c, v, now);
	LLVMReplaceAllUsesWith(v, now);
	c->live[i] = NULL;
}

/* -- All of it -------------------------------------------------------------- */

static void enter(struct continuing *c, const struct cofl_mark *mark,
		  LLVMValueRef params)
{
	LLVMBasicBlockRef rest = LLVMGetInstructionParent(mark->call), head;

	for (uint32_t i = 0; i < c->loop->n_live; i++)
		c->live[i] = cofl_mark_live(mark, i);
	/* This loop is to have a point as well. */
	if (c->unit->points != NULL) {
		LLVMPositionBuilderBefore(c->builder, mark->call);
		LLVMInsertIntoBuilder(c->builder,
				      LLVMInstructionClone(mark->call));
	}
	head = cofl_osr_split(c->unit, mark);
	LLVMPositionBuilderAtEnd(c->builder, head);
	LLVMBuildBr(c->builder, rest);
	/* It led to the clone's entry, so that it was a function meanwhile. */
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(c->entry));
	load_all(c, mark->labels);
	LLVMPositionBuilderAtEnd(c->builder, c->last);
	LLVMBuildBr(c->builder, rest);
	replace_params(c, params);
	note_reached(c, rest);
}

void cofl_osr_continue(struct cofl_unit *unit, LLVMValueRef f, LLVMValueRef to,
		       uint32_t loop, LLVMValueRef *next, cofl_osr_edit *edit,
		       void *arg)
{
	const struct cofl_gates *g = unit->gates;
	struct continuing c = {
		.unit = unit, .builder = unit->copy->builder,
		.context = unit->copy->context, .to = to,
		.ptr = LLVMPointerTypeInContext(unit->copy->context, 0),
		.loop = &g->loops.loop[loop], .gate = &g->gate[loop],
	};
	struct cofl_mark *mark = room_for(g->loops.n_loops, sizeof(*mark));
	LLVMValueRef params = LLVMAddFunction(unit->module, "cof.osr.params",
					      LLVMGlobalGetValueType(f));
	uint32_t n;

	c.live = room_for(c.loop->n_live, sizeof(LLVMValueRef));
	c.loaded = room_for(c.loop->n_live, sizeof(LLVMValueRef));
	c.moved = room_for(c.loop->n_live, sizeof(bool));
	cofl_unit_body(unit, f, to, params);
	if (edit != NULL)
		edit(arg, unit, to, true);
	c.entry = LLVMInsertBasicBlockInContext(
		c.context, LLVMGetEntryBasicBlock(to), "");
	c.last = c.entry;
	LLVMPositionBuilderAtEnd(c.builder, c.entry);
	LLVMBuildBr(c.builder, LLVMGetNextBasicBlock(c.entry));
	if (edit != NULL)
		edit(arg, unit, to, false);
	/* Outer loops first: what is beyond them is not reached then. */
	n = cofl_osr_marks(unit, to, mark);
	for (uint32_t i = 0; i < n; i++)
		if (mark[i].loop != loop && next[mark[i].loop] != NULL)
			go_to_next(&c, &mark[i], next[mark[i].loop]);
	for (uint32_t i = 0; i < n; i++)
		if (mark[i].loop == loop)
			enter(&c, &mark[i], params);
	drop_lifetimes(&c);
	if (unit->points == NULL) {
		n = cofl_osr_marks(unit, to, mark);
		for (uint32_t i = 0; i < n; i++)
			LLVMInstructionEraseFromParent(mark[i].call);
	}
	find_moved(&c);
	for (uint32_t i = 0; i < c.loop->n_live; i++)
		connect(&c, i);
	LLVMSetLinkage(to, LLVMExternalLinkage);
	cofl_map_free(&c.reached);
	free(c.live);
	free(c.loaded);
	free(c.moved);
	free(mark);
}
