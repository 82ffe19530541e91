/*
 * test_piece_move.c - pieces change modules as they are, and their names meet
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <llvm-c/Comdat.h>

#include "joined.h"

static void join_parts(int n_functions)
{
	char why[256] = "";
	int n = join(why, sizeof(why));

	if (n != n_functions)
		fail_msg("%d functions; %s", n, why);
}

static LLVMValueRef global(const char *name)
{
	LLVMValueRef g = LLVMGetNamedGlobal(joined, name);

	assert_non_null(g);
	return g;
}

/* Whatever the order of the two is. */
static void a_definition_takes_the_place_of_declarations(void **state)
{
	static const char uses[] =
		"@v = external global i8\n"
		"declare i32 @f()\n"
		"define i32 @use() {\n  %x = call i32 @f()\n"
		"  store i8 1, ptr @v\n  ret i32 %x\n}\n";
	static const char has[] =
		"@v = global [3 x i32] zeroinitializer\n"
		"define i32 @f() {\n  ret i32 7\n}\n";

	(void)state;
	for (int first = 0; first < 2; first++) {
		add_part(first ? has : uses);
		add_part(first ? uses : has);
		join_parts(2);
		assert_int_equal(LLVMGetArrayLength2(LLVMGlobalGetValueType(
					 global("v"))), 3);
		assert_non_null(LLVMGetFirstUse(global("v")));
		assert_non_null(LLVMGetFirstUse(
			LLVMGetNamedFunction(joined, "f")));
		forget();
	}
}

/* The one that is not local has the name, whatever the order is. */
static void local_names_give_way(void **state)
{
	static const char local[] =
		"define internal i32 @f() noinline {\n  ret i32 1\n}\n"
		"define i32 @g() {\n  %x = call i32 @f()\n  ret i32 %x\n}\n";
	static const char other[] = "define i32 @f() {\n  ret i32 2\n}\n";
	LLVMValueRef f, call;

	(void)state;
	for (int first = 0; first < 2; first++) {
		add_part(first ? other : local);
		add_part(first ? local : other);
		join_parts(3);
		f = LLVMGetNamedFunction(joined, "f");
		assert_int_equal(LLVMGetLinkage(f), LLVMExternalLinkage);
		call = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(
			LLVMGetNamedFunction(joined, "g")));
		assert_ptr_not_equal(LLVMGetCalledValue(call), f);
		forget();
	}
}

/* A reference that must be there wins, and a variable may change if one says
 * so. */
static void declarations_agree(void **state)
{
	static const char weak[] =
		"@v = extern_weak constant i32\n"
		"define i32 @a() {\n  %x = load i32, ptr @v\n"
		"  ret i32 %x\n}\n";
	static const char strong[] =
		"@v = external global i32\n"
		"define i32 @b() {\n  %x = load i32, ptr @v\n"
		"  ret i32 %x\n}\n";

	(void)state;
	for (int first = 0; first < 2; first++) {
		add_part(first ? strong : weak);
		add_part(first ? weak : strong);
		join_parts(2);
		assert_int_equal(LLVMGetLinkage(global("v")),
				 LLVMExternalLinkage);
		assert_false(LLVMIsGlobalConstant(global("v")));
		forget();
	}
}

/* Lists, groups and common variables are as LLVM's linker makes them. */
static void what_is_left_is_linked(void **state)
{
	(void)state;
	add_part("@big = common global [2 x i32] zeroinitializer\n"
		 "@llvm.used = appending global [1 x ptr] [ptr @one]\n"
		 "$one = comdat any\n"
		 "define i32 @one() comdat {\n  ret i32 1\n}\n");
	add_part("@big = common global [8 x i32] zeroinitializer\n"
		 "@llvm.used = appending global [1 x ptr] [ptr @two]\n"
		 "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]"
		 " [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]\n"
		 "define internal void @start() {\n  ret void\n}\n"
		 "define i32 @two() {\n  ret i32 2\n}\n");
	add_part("@again = alias i32 (), ptr @three\n"
		 "define i32 @three() {\n  ret i32 3\n}\n");
	join_parts(4);
	assert_int_equal(LLVMGetArrayLength2(LLVMGlobalGetValueType(
				 global("big"))), 8);
	assert_int_equal(LLVMGetNumOperands(LLVMGetInitializer(
				 global("llvm.used"))), 2);
	assert_int_equal(LLVMGetNumOperands(LLVMGetInitializer(
				 global("llvm.global_ctors"))), 1);
	assert_non_null(LLVMGetComdat(LLVMGetNamedFunction(joined, "one")));
	assert_non_null(LLVMGetNamedGlobalAlias(joined, "again", 5));
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_definition_takes_the_place_of_declarations),
		cmocka_unit_test(local_names_give_way),
		cmocka_unit_test(declarations_agree),
		cmocka_unit_test(what_is_left_is_linked),
	};

	return cmocka_run_group_tests(tests, open_executable, NULL);
}
