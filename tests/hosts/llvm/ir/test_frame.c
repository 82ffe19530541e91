/*
 * test_frame.c - which functions stay apart for their frame
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "../ir_text.h"
#include "ir/attribute.h"
#include "ir/frame.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_variable),
		cmocka_unit_test(variables_are_added_up),
		cmocka_unit_test(small_and_unknown),
		cmocka_unit_test(what_is_always_inlined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
