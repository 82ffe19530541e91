/*
 * test_initial_values.c - the joined bitcode has values of constants, and of
 * variables with labels, and no others
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "joined.h"

#define PROGRAM \
	"%pair = type { i32, ptr }\n" \
	"@changes = global %pair { i32 7, ptr @f }, align 16\n" \
	"@mine = internal global [2 x i32] [i32 1, i32 2]\n" \
	"@own = thread_local global i32 5\n" \
	"@stays = constant %pair { i32 8, ptr @f }\n" \
	"@label = global %pair { i32 9, ptr blockaddress(@f, %there) }\n" \
	"@other = alias i32, ptr @changes\n" \
	"@llvm.used = appending global [1 x ptr] [ptr @mine], " \
	"section \"llvm.metadata\"\n" \
	"define i32 @f() {\n  br label %there\nthere:\n" \
	"  %x = load i32, ptr @mine\n  ret i32 %x\n}\n"

static bool is_zero(const char *name)
{
	LLVMValueRef g = LLVMGetNamedGlobal(joined, name);

	assert_non_null(g);
	assert_non_null(LLVMGetInitializer(g));
	return LLVMIsNull(LLVMGetInitializer(g));
}

static void what_may_change_is_zero(void **state)
{
	(void)state;
	join_text(PROGRAM);
	assert_true(is_zero("changes"));
	assert_true(is_zero("mine"));
	assert_true(is_zero("own"));
	assert_false(is_zero("stays"));
	assert_false(is_zero("label"));
	assert_false(is_zero("llvm.used"));
	forget();
}

/* It is where it was, and of the type and alignment that it had. */
static void nothing_else_is_different(void **state)
{
	LLVMValueRef g;

	(void)state;
	join_text(PROGRAM);
	g = LLVMGetNamedGlobal(joined, "changes");
	assert_int_equal(LLVMGetAlignment(g), 16);
	assert_int_equal(LLVMGetTypeKind(LLVMGlobalGetValueType(g)),
			 LLVMStructTypeKind);
	assert_int_equal(LLVMGetLinkage(g), LLVMExternalLinkage);
	assert_int_equal(LLVMGetLinkage(LLVMGetNamedGlobal(joined, "mine")),
			 LLVMInternalLinkage);
	assert_ptr_equal(LLVMAliasGetAliasee(
			 LLVMGetNamedGlobalAlias(joined, "other", 5)), g);
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_may_change_is_zero),
		cmocka_unit_test(nothing_else_is_different),
	};

	return cmocka_run_group_tests(tests, open_executable, NULL);
}
