/*
 * blockaddress.c - follow labels from where they are named to where they are
 * used
 *
 * A value is marked if it may be a label's address, or lead to one: labels,
 * tables of them, what is loaded from there and computed from that. The
 * function may jump to a marked value, compare it, and keep it in a variable of
 * this call that nothing else knows of. Anything else it gives the value to may
 * keep it.
 */
#include "ir/blockaddress.h"

#include <string.h>

#include "ir/list.h"

LLVMValueRef cofl_blockaddress_owner(LLVMValueRef c)
{
	LLVMValueRef f = NULL;
	int n;

	switch (LLVMGetValueKind(c)) {
	case LLVMBlockAddressValueKind:
		return LLVMGetBlockAddressFunction(c);
	case LLVMConstantExprValueKind:
	case LLVMConstantArrayValueKind:
	case LLVMConstantStructValueKind:
	case LLVMConstantVectorValueKind:
		n = LLVMGetNumOperands(c);
		for (int i = 0; f == NULL && i < n; i++)
			f = cofl_blockaddress_owner(
				LLVMGetOperand(c, (unsigned)i));
		return f;
	default:
		return NULL;
	}
}

struct marks {
	struct cofl_map  seen;
	struct cofl_list todo;	/* LLVMValueRef */
	bool             numbers; /* differences of labels are in use: a number
				   * that is loaded may be one */
};

static void mark(struct marks *m, LLVMValueRef v)
{
	if (cofl_map_get(&m->seen, v) != NULL)
		return;
	cofl_map_put(&m->seen, v, v);
	*(LLVMValueRef *)cofl_list_add(&m->todo, 1) = v;
}

static bool is_number(LLVMValueRef v)
{
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));

	return kind != LLVMPointerTypeKind && kind != LLVMVoidTypeKind;
}

/* Does the constant hold a label as a number, such as a difference of two? */
static bool has_number(LLVMValueRef c)
{
	if (LLVMGetValueKind(c) == LLVMConstantExprValueKind)
		return is_number(c) && cofl_blockaddress_is_in(c);
	if (!cofl_blockaddress_is_in(c) || LLVMIsABlockAddress(c))
		return false;
	for (int i = 0, n = LLVMGetNumOperands(c); i < n; i++)
		if (has_number(LLVMGetOperand(c, (unsigned)i)))
			return true;
	return false;
}

/* Does an operand name a label, or a table of them? */
static bool names_label(struct marks *m, LLVMValueRef c)
{
	LLVMValueRef value;

	if (!LLVMIsAConstant(c))
		return false;
	if (LLVMIsAGlobalVariable(c)) {
		value = LLVMGetInitializer(c);
		if (value == NULL || !cofl_blockaddress_is_in(value))
			return false;
		m->numbers |= has_number(value);
		return true;
	}
	if (LLVMIsABlockAddress(c))
		return true;
	if (!LLVMIsAConstantExpr(c))
		return cofl_blockaddress_is_in(c);
	for (int i = 0, n = LLVMGetNumOperands(c); i < n; i++)
		if (names_label(m, LLVMGetOperand(c, (unsigned)i)))
			return true;
	return false;
}

static bool is_lifetime(LLVMValueRef call)
{
	size_t length;
	LLVMValueRef f = LLVMGetCalledValue(call);
	const char *name = f ? LLVMGetValueName2(f, &length) : NULL;

	return name != NULL && strncmp(name, "llvm.lifetime.", 14) == 0;
}

/* Is it a variable of this call that is only stored to and loaded from, as a
 * whole? */
static bool is_private(LLVMValueRef p)
{
	if (!LLVMIsAAllocaInst(p))
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(p); u != NULL;
	     u = LLVMGetNextUse(u)) {
		LLVMValueRef i = LLVMGetUser(u);

		if (LLVMIsALoadInst(i) ||
		    (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) != p) ||
		    (LLVMIsACallInst(i) && is_lifetime(i)))
			continue;
		return false;
	}
	return true;
}

/* May instruction `i` have `v`, which is marked, among its operands? */
static bool may_use(struct marks *m, LLVMValueRef i, LLVMValueRef v)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMIndirectBr:
	case LLVMICmp:
		return true;
	case LLVMPHI:
	case LLVMSelect:
	case LLVMFreeze:
	case LLVMGetElementPtr:
	case LLVMPtrToInt:
	case LLVMPtrToAddr:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMAdd:
	case LLVMSub:
		mark(m, i);
		return true;
	case LLVMLoad:
		/* A variable of this call may have a marked number stored. */
		if (m->numbers || !is_number(i) || LLVMIsAAllocaInst(v))
			mark(m, i);
		return true;
	case LLVMStore:
		if (LLVMGetOperand(i, 0) != v)
			return true;
		if (!is_private(LLVMGetOperand(i, 1)))
			return false;
		mark(m, LLVMGetOperand(i, 1));
		return true;
	case LLVMCall:
		return is_lifetime(i);
	default:
		return false;
	}
}

bool cofl_blockaddress_jumps(LLVMValueRef f)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

		if (end != NULL && LLVMIsAIndirectBrInst(end))
			return true;
	}
	return false;
}

typedef bool operand_fn(struct marks *m, LLVMValueRef i, LLVMValueRef v);

static bool note_numbers(struct marks *m, LLVMValueRef i, LLVMValueRef v)
{
	(void)i;
	m->numbers |= LLVMIsAConstant(v) && has_number(v);
	return true;
}

/* Does `fn` accept all operands that name labels? */
static bool each_named(struct marks *m, LLVMValueRef f, operand_fn *fn)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			for (int k = 0, n = LLVMGetNumOperands(i); k < n; k++) {
				LLVMValueRef v = LLVMGetOperand(i, (unsigned)k);

				if (v != NULL && names_label(m, v) &&
				    !fn(m, i, v))
					return false;
			}
	return true;
}

static bool follow(struct marks *m, LLVMValueRef f)
{
	bool stay;

	m->todo.size = sizeof(LLVMValueRef);
	/* Twice, since what a load may give depends on all the tables. */
	stay = each_named(m, f, note_numbers) && each_named(m, f, may_use);
	while (stay && m->todo.n > 0) {
		LLVMValueRef v = ((LLVMValueRef *)m->todo.at)[--m->todo.n];
		LLVMUseRef u = LLVMGetFirstUse(v);

		for (; stay && u != NULL; u = LLVMGetNextUse(u))
			stay = may_use(m, LLVMGetUser(u), v);
	}
	cofl_list_free(&m->todo);
	return stay;
}

bool cofl_blockaddress_escapes(LLVMValueRef f)
{
	struct marks m = { 0 };
	bool stay;

	if (!cofl_blockaddress_jumps(f))
		return false;
	stay = follow(&m, f);
	cofl_map_free(&m.seen);
	return !stay;
}

void cofl_blockaddress_marks(LLVMValueRef f, struct cofl_map *marked)
{
	struct marks m = { 0 };

	if (cofl_blockaddress_jumps(f))
		follow(&m, f);
	*marked = m.seen;
}
