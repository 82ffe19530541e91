/*
 * test_fastisel_prepare.c - the same in instructions that FastISel selects
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compile/fastisel_prepare.h"
#include "ir/copy.h"
#include "ir_text.h"

static struct cofl_copy copy;
static struct cofl_clone unit;

/* Prepare the first function. */
static LLVMValueRef prepared(const char *text)
{
	char *error = NULL;
	LLVMValueRef f;

	unit.module = ir_text(text, &copy.context);
	copy.builder = LLVMCreateBuilderInContext(copy.context);
	unit.copy = &copy;
	f = LLVMGetFirstFunction(unit.module);
	cofl_fastisel_prepare(&unit, f);
	assert_false(LLVMVerifyModule(unit.module, LLVMReturnStatusAction,
				      &error));
	LLVMDisposeMessage(error);
	return f;
}

static void done(void)
{
	LLVMDisposeModule(unit.module);
	LLVMDisposeBuilder(copy.builder);
	LLVMContextDispose(copy.context);
}

static LLVMValueRef returned(LLVMValueRef f)
{
	return LLVMGetOperand(LLVMGetBasicBlockTerminator(
		LLVMGetLastBasicBlock(f)), 0);
}

/* Is it `op` of the two parameters, as bytes, the second of them frozen? */
static void is_logical(LLVMValueRef f, LLVMOpcode op)
{
	LLVMValueRef v = returned(f), a, b;

	assert_int_equal(LLVMGetInstructionOpcode(v), LLVMTrunc);
	v = LLVMGetOperand(v, 0);
	assert_int_equal(LLVMGetInstructionOpcode(v), op);
	a = LLVMGetOperand(v, 0);
	b = LLVMGetOperand(v, 1);
	assert_int_equal(LLVMGetInstructionOpcode(a), LLVMZExt);
	assert_ptr_equal(LLVMGetOperand(a, 0), LLVMGetParam(f, 0));
	assert_int_equal(LLVMGetInstructionOpcode(b), LLVMFreeze);
	b = LLVMGetOperand(b, 0);
	assert_int_equal(LLVMGetInstructionOpcode(b), LLVMZExt);
	assert_ptr_equal(LLVMGetOperand(b, 0), LLVMGetParam(f, 1));
}

static void logical_or_and_and_are_of_bytes(void **state)
{
	(void)state;
	is_logical(prepared(
		"define i1 @f(i1 %a, i1 %b) {\n"
		"  %r = select i1 %a, i1 true, i1 %b\n  ret i1 %r\n}\n"),
		   LLVMOr);
	done();
	is_logical(prepared(
		"define i1 @f(i1 %a, i1 %b) {\n"
		"  %r = select i1 %a, i1 %b, i1 false\n  ret i1 %r\n}\n"),
		   LLVMAnd);
	done();
}

static void other_selects_stay(void **state)
{
	static const char *const text[] = {
		"define i1 @f(i1 %a, i1 %b) {\n"
		"  %r = select i1 %a, i1 false, i1 %b\n  ret i1 %r\n}\n",
		"define i32 @f(i1 %a, i32 %b) {\n"
		"  %r = select i1 %a, i32 1, i32 %b\n  ret i32 %r\n}\n",
		"define <2 x i1> @f(<2 x i1> %a, <2 x i1> %b) {\n"
		"  %r = select <2 x i1> %a, <2 x i1> splat (i1 true), "
		"<2 x i1> %b\n  ret <2 x i1> %r\n}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++) {
		assert_true(LLVMIsASelectInst(returned(prepared(text[i]))));
		done();
	}
}

static void least_and_most_are_chosen(void **state)
{
	static const struct {
		const char      *name;
		LLVMIntPredicate first;
	} kind[] = {
		{ "smin", LLVMIntSLT }, { "smax", LLVMIntSGT },
		{ "umin", LLVMIntULT }, { "umax", LLVMIntUGT },
	};
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(kind) / sizeof(*kind); i++) {
		LLVMValueRef v, c;

		snprintf(text, sizeof(text),
			 "define i64 @f(i64 %%a, i64 %%b) {\n"
			 "  %%r = call i64 @llvm.%s.i64(i64 %%a, i64 %%b)\n"
			 "  ret i64 %%r\n}\n", kind[i].name);
		v = returned(prepared(text));
		assert_int_equal(LLVMGetInstructionOpcode(v), LLVMSelect);
		c = LLVMGetOperand(v, 0);
		assert_int_equal(LLVMGetICmpPredicate(c), kind[i].first);
		assert_ptr_equal(LLVMGetOperand(c, 0), LLVMGetOperand(v, 1));
		assert_ptr_equal(LLVMGetOperand(c, 1), LLVMGetOperand(v, 2));
		done();
	}
}

static void of_bytes_they_stay(void **state)
{
	(void)state;
	assert_true(LLVMIsACallInst(returned(prepared(
		"define i8 @f(i8 %a, i8 %b) {\n"
		"  %r = call i8 @llvm.smin.i8(i8 %a, i8 %b)\n"
		"  ret i8 %r\n}\n"))));
	done();
}

/* Also in the first block, and where it leads to itself. */
static void a_switch_is_alone(void **state)
{
	LLVMValueRef f = prepared(
		"define i32 @f(i32 %a, i32 %b) {\n"
		"  %s = add i32 %a, %b\n"
		"  switch i32 %s, label %l [i32 1, label %o]\n"
		"l:\n  %i = phi i32 [0, %0], [%j, %l]\n  %j = add i32 %i, 1\n"
		"  switch i32 %j, label %l [i32 9, label %o]\n"
		"o:\n  %r = phi i32 [%s, %0], [%j, %l]\n  ret i32 %r\n}\n");
	unsigned n = 0;

	(void)state;
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

		if (!LLVMIsASwitchInst(end))
			continue;
		assert_ptr_equal(LLVMGetFirstInstruction(b), end);
		n++;
	}
	assert_int_equal(n, 2);
	assert_int_equal(LLVMCountBasicBlocks(f), 5);
	done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logical_or_and_and_are_of_bytes),
		cmocka_unit_test(other_selects_stay),
		cmocka_unit_test(least_and_most_are_chosen),
		cmocka_unit_test(of_bytes_they_stay),
		cmocka_unit_test(a_switch_is_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
