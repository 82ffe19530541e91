/*
 * test_blockaddress.c - which functions give the addresses of their labels away
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/blockaddress.h"
#include "../ir_text.h"

#define TABLE \
	"@table = internal constant [2 x ptr] [ptr blockaddress(@f, %a), " \
	"ptr blockaddress(@f, %b)]\n"

/* Does the function @f of this text? */
static bool escapes(const char *text)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(text, &context);
	bool escapes =
		cofl_blockaddress_escapes(LLVMGetNamedFunction(module, "f"));

	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return escapes;
}

static void jumps_by_a_table_of_its_own_stay(void **state)
{
	(void)state;
	assert_false(escapes(TABLE
		"define i64 @f(i64 %i) {\n"
		"  %p = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i\n"
		"  %l = load ptr, ptr %p\n"
		"  indirectbr ptr %l, [label %a, label %b]\n"
		"a:\n  ret i64 1\n"
		"b:\n  ret i64 2\n}\n"));
}

static void a_table_that_is_returned_escapes(void **state)
{
	(void)state;
	assert_true(escapes(TABLE
		"define i64 @f(ptr %p) {\n"
		"  %none = icmp eq ptr %p, null\n"
		"  br i1 %none, label %give, label %go\n"
		"give:\n  ret i64 ptrtoint (ptr @table to i64)\n"
		"go:\n  %l = load ptr, ptr %p\n"
		"  indirectbr ptr %l, [label %a, label %b]\n"
		"a:\n  ret i64 1\n"
		"b:\n  ret i64 2\n}\n"));
}

/* As compilers write it that do not optimize. */
static void a_table_escapes_as_a_number_in_a_variable(void **state)
{
	(void)state;
	assert_true(escapes(TABLE
		"define i64 @f(ptr %p) {\n"
		"  %r = alloca i64\n"
		"  %none = icmp eq ptr %p, null\n"
		"  br i1 %none, label %give, label %go\n"
		"give:\n"
		"  store i64 ptrtoint (ptr @table to i64), ptr %r\n"
		"  br label %end\n"
		"go:\n  %l = load ptr, ptr %p\n"
		"  indirectbr ptr %l, [label %a, label %b]\n"
		"a:\n  store i64 1, ptr %r\n  br label %end\n"
		"b:\n  store i64 2, ptr %r\n  br label %end\n"
		"end:\n  %x = load i64, ptr %r\n  ret i64 %x\n}\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(jumps_by_a_table_of_its_own_stay),
		cmocka_unit_test(a_table_that_is_returned_escapes),
		cmocka_unit_test(a_table_escapes_as_a_number_in_a_variable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
