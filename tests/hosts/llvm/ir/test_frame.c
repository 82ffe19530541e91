/*
 * test_frame.c - which functions stay apart for their frame
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "../ir_text.h"
#include "ir/attribute.h"
#include "ir/frame.h"
#include "support/tuning.h"

/* Is a function apart that begins with these variables? */
static bool is_apart(const char *attributes, const char *variables)
{
	char text[1000];
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMValueRef f;
	bool apart;

	snprintf(text, sizeof(text),
		 "define void @f(i64 %%n) %s {\n%s\n"
		 "br label %%next\n"
		 "next:\n"
		 "%%late = alloca [4000 x i8]\n"
		 "ret void\n}\n", attributes, variables);
	module = ir_text(text, &context);
	f = LLVMGetFirstFunction(module);
	cofl_frame_keep_apart(f);
	apart = cofl_attribute_has(f, "noinline");
	assert_false(apart && cofl_attribute_has(f, "alwaysinline"));
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return apart;
}

static void a_large_variable(void **state)
{
	(void)state;
	assert_true(is_apart("", "%a = alloca [900 x i8]"));
	assert_true(is_apart("", "%a = alloca i64, i32 17"));
	assert_true(is_apart("", "%a = alloca i64, i64 -1"));
}

static void variables_are_added_up(void **state)
{
	(void)state;
	assert_false(is_apart("", "%a = alloca [100 x i8]"));
	assert_true(is_apart("", "%a = alloca [100 x i8]\n"
				 "%b = alloca [100 x i8]"));
}

/* What has no constant size is gone when inlined code ends. */
static void small_and_unknown(void **state)
{
	(void)state;
	assert_false(is_apart("", ""));
	assert_false(is_apart("", "%a = alloca i64"));
	assert_false(is_apart("", "%a = alloca i8, i64 %n"));
}

static void what_is_always_inlined(void **state)
{
	(void)state;
	assert_false(is_apart("alwaysinline", "%a = alloca [900 x i8]"));
}

static bool is_named_small(void *unused, LLVMValueRef callee)
{
	size_t n;

	(void)unused;
	return strcmp(LLVMGetValueName2(callee, &n), "small") == 0;
}

/* How many calls of f() stay calls, if it begins with `n` additions? */
static int kept(const char *last_callee, int n)
{
	char text[20000];
	size_t used = (size_t)snprintf(
		text, sizeof(text), "declare i64 @other(i64)\n"
		"declare i64 @small(i64)\n"
		"define i64 @f(i64 %%a0) {\n"
		"%%s = call i64 @small(i64 %%a0)\n"
		"%%o = call i64 @other(i64 %%s)\n"
		"%%x = call i64 @%s(i64 %%o)\n", last_callee);
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMValueRef f;
	bool says;
	int all = 0;

	for (int i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%%a%d = add i64 %%a%d, %%x\n", i + 1,
					 i);
	snprintf(text + used, sizeof(text) - used, "ret i64 %%a%d\n}\n", n);
	module = ir_text(text, &context);
	f = LLVMGetNamedFunction(module, "f");
	says = cofl_frame_keep_calls(f, is_named_small, NULL);
	for (LLVMValueRef i = LLVMGetFirstInstruction(
		     LLVMGetEntryBasicBlock(f));
	     i != NULL; i = LLVMGetNextInstruction(i))
		all += LLVMIsACallInst(i) != NULL &&
		       LLVMGetCallSiteEnumAttribute(
			       i, LLVMAttributeFunctionIndex,
			       cofl_attribute_kind("noinline")) != NULL;
	assert_true(says == (all != 0));
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return all;
}

static void a_recursion_keeps_its_calls(void **state)
{
	(void)state;
	assert_int_equal(kept("f", 3), 2);
	assert_int_equal(kept("other", 3), 0);
}

static void a_large_one_need_not(void **state)
{
	int most = COFL_TUNE(inline_recursion) - 4;

	(void)state;
	assert_int_equal(kept("f", most), 2);
	assert_int_equal(kept("f", most + 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_variable),
		cmocka_unit_test(variables_are_added_up),
		cmocka_unit_test(small_and_unknown),
		cmocka_unit_test(what_is_always_inlined),
		cmocka_unit_test(a_recursion_keeps_its_calls),
		cmocka_unit_test(a_large_one_need_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
