/*
 * test_join.c - bitcode of many objects is joined to one, by decisions; in time
 * that grows as its bytes do
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "joined.h"

/* The function that the first call in `name` calls, or the number that it
 * returns; "": neither. */
static const char *does(const char *name)
{
	static char said[64];
	LLVMValueRef f = LLVMGetNamedFunction(joined, name), i, of;
	size_t length;

	if (f == NULL || LLVMIsDeclaration(f))
		return "";
	i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(f));
	of = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : LLVMGetOperand(i, 0);
	if (LLVMIsAConstantInt(of))
		snprintf(said, sizeof(said), "%lld",
			 LLVMConstIntGetSExtValue(of));
	else
		snprintf(said, sizeof(said), "%s",
			 LLVMGetValueName2(of, &length));
	return said;
}

#define RETURNS(name, n) \
	"define i32 @" name "() {\n  ret i32 " n "\n}\n"
#define CALLS(name, of) \
	"define i32 @" name "() {\n  %x = call i32 @" of "()\n" \
	"  ret i32 %x\n}\n"

static void parts_are_joined(void **state)
{
	char why[256];

	(void)state;
	add_part("define linkonce_odr i32 @both() {\n  ret i32 1\n}\n"
		 CALLS("f", "both"));
	add_part("define linkonce_odr i32 @both() {\n  ret i32 1\n}\n"
		 CALLS("g", "both"));
	assert_int_equal(join(why, sizeof(why)), 3);
	forget();
}

static void what_cannot_be_joined_is_said(void **state)
{
	char why[256] = "";

	(void)state;
	add_part(RETURNS("f", "1"));
	add_part(RETURNS("f", "2"));
	assert_int_equal(join(why, sizeof(why)), -1);
	assert_non_null(strstr(why, "'f'"));
}

/* Each part has types of its own. */
static void many_parts_are_joined(void **state)
{
	char text[512], why[256];

	(void)state;
	for (int i = 0; i < PARTS_MOST; i++) {
		snprintf(text, sizeof(text),
			 "%%s%d = type { [%d x i32], ptr, i64 }\n"
			 "define i64 @f%d(ptr %%p) {\n"
			 "  %%a = getelementptr %%s%d, ptr %%p, i32 0, i32 2\n"
			 "  %%x = load i64, ptr %%a\n  ret i64 %%x\n}\n", i,
			 i + 1, i, i);
		add_part(text);
	}
	assert_int_equal(join(why, sizeof(why)), PARTS_MOST);
	forget();
}

/* As with -z muldefs. */
static void a_definition_gives_way(void **state)
{
	struct cofl_decision second[] = {
		{ "f", COFL_DECISION_BIND, "f", 0 },
	};
	char why[256] = "";

	(void)state;
	add_part(RETURNS("f", "1"));
	add_piece(RETURNS("f", "2") CALLS("g", "f"), second, 1);
	assert_int_equal(join(why, sizeof(why)), 2);
	assert_string_equal(does("f"), "1");
	assert_string_equal(does("g"), "f");
	forget();
}

/* Another name means the one that gave way. */
static void an_alias_keeps_its_definition(void **state)
{
	struct cofl_decision second[] = {
		{ "f", COFL_DECISION_BIND, "f", 0 },
	};
	char why[256] = "";
	LLVMValueRef alias;

	(void)state;
	add_part(RETURNS("f", "1"));
	add_piece("@a = alias i32 (), ptr @f\n" RETURNS("f", "2")
		  CALLS("g", "f"), second, 1);
	assert_int_equal(join(why, sizeof(why)), 3);
	assert_string_equal(does("f"), "1");
	assert_string_equal(does("g"), "f");
	alias = LLVMGetNamedGlobalAlias(joined, "a", 1);
	assert_non_null(alias);
	assert_string_equal(does(LLVMGetValueName2(
				    LLVMAliasGetAliasee(alias),
				    &(size_t){ 0 })), "2");
	forget();
}

/* As objcopy(1) can do: two names change places. */
static void names_change_places(void **state)
{
	struct cofl_decision first[] = {
		{ "f", COFL_DECISION_RENAME, "g", 0 },
		{ "g", COFL_DECISION_RENAME, "f", 0 },
	};
	char why[256] = "";

	(void)state;
	add_piece(RETURNS("f", "1") RETURNS("g", "2") CALLS("h", "f"), first,
		  2);
	assert_int_equal(join(why, sizeof(why)), 3);
	assert_string_equal(does("f"), "2");
	assert_string_equal(does("g"), "1");
	assert_string_equal(does("h"), "g");
	forget();
}

/* As with --wrap, with linkers that wrap in the defining object too. */
static void a_definition_is_split_from_its_name(void **state)
{
	struct cofl_decision first[] = {
		{ "f", COFL_DECISION_SPLIT, "other", 0 },
	};
	char why[256] = "";

	(void)state;
	add_piece(RETURNS("f", "1") CALLS("g", "f"), first, 1);
	add_part(RETURNS("other", "3") CALLS("h", "f")
		 "declare i32 @f()\n");
	assert_int_equal(join(why, sizeof(why)), 4);
	assert_string_equal(does("f"), "1");
	assert_string_equal(does("g"), "other");
	assert_string_equal(does("h"), "f");
	forget();
}

static void names_become_numbers_and_places(void **state)
{
	struct cofl_decision first[] = {
		{ "number", COFL_DECISION_VALUE, NULL, 77 },
		{ "inside", COFL_DECISION_OFFSET, "v", 4 },
		{ "nobody", COFL_DECISION_MISSING, NULL, 0 },
		{ "gone", COFL_DECISION_DROP, NULL, 0 },
	};
	char why[256] = "", *text;

	(void)state;
	add_piece("@number = external global i8\n"
		  "@inside = external global i32\n"
		  "@v = global [2 x i32] zeroinitializer\n"
		  "@gone = global i32 5, section \"items\"\n"
		  "declare void @nobody()\n"
		  "define ptr @f() {\n  call void @nobody()\n"
		  "  ret ptr @number\n}\n"
		  "define ptr @g() {\n  ret ptr @inside\n}\n", first, 4);
	assert_int_equal(join(why, sizeof(why)), 2);
	text = LLVMPrintModuleToString(joined);
	assert_non_null(strstr(text, "ret ptr inttoptr (i64 77 to ptr)"));
	assert_non_null(strstr(text, "getelementptr (i8, ptr @v, i64 4)"));
	assert_non_null(strstr(text, "declare extern_weak void @nobody"));
	assert_null(strstr(text, "items"));
	LLVMDisposeMessage(text);
	forget();
}

/* The variable is another piece's, and so is its constructor. */
static void a_constructor_goes_with_its_variable(void **state)
{
	static const char text[] =
		"@v = linkonce_odr global i32 0\n"
		"@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] "
		"[{ i32, ptr, ptr } { i32 65535, ptr @make, ptr @v }]\n"
		"define internal void @make() {\n  store i32 1, ptr @v\n"
		"  ret void\n}\n";
	struct cofl_decision second[] = {
		{ "v", COFL_DECISION_BIND, "v", 0 },
	};
	char why[256] = "";
	LLVMValueRef list;

	(void)state;
	add_part(text);
	add_piece(text, second, 1);
	assert_true(join(why, sizeof(why)) > 0);
	list = LLVMGetInitializer(LLVMGetNamedGlobal(joined,
						     "llvm.global_ctors"));
	assert_int_equal(LLVMGetNumOperands(list), 1);
	forget();
}

static void versions_leave_the_assembly(void **state)
{
	struct cofl_decision first[] = {
		{ "old", COFL_DECISION_BIND, "f@V1", 0 },
	};
	char why[256] = "";
	size_t n;

	(void)state;
	add_piece("module asm \".text; .symver old, f@V1\"\n"
		  "module asm \"nop\"\n"
		  "declare i32 @old()\n" CALLS("g", "old"), first, 1);
	assert_int_equal(join(why, sizeof(why)), 1);
	assert_string_equal(does("g"), "f@V1");
	assert_null(strstr(LLVMGetModuleInlineAsm(joined, &n), "symver"));
	assert_non_null(strstr(LLVMGetModuleInlineAsm(joined, &n), "nop"));
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_joined),
		cmocka_unit_test(what_cannot_be_joined_is_said),
		cmocka_unit_test(many_parts_are_joined),
		cmocka_unit_test(a_definition_gives_way),
		cmocka_unit_test(an_alias_keeps_its_definition),
		cmocka_unit_test(names_change_places),
		cmocka_unit_test(a_definition_is_split_from_its_name),
		cmocka_unit_test(names_become_numbers_and_places),
		cmocka_unit_test(a_constructor_goes_with_its_variable),
		cmocka_unit_test(versions_leave_the_assembly),
	};

	return cmocka_run_group_tests(tests, open_executable, NULL);
}
