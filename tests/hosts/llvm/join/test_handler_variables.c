/*
 * test_handler_variables.c - what handlers share is read and set where it says
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "joined.h"

#define FLAG \
	"@flag = global i32 0\n@other = global i32 0\n" \
	"define void @handle(i32 %s) {\n" \
	"  store i32 1, ptr @flag\n  ret void\n}\n"
#define READS(name, variable) \
	"define i32 @" name "() memory(read) nosync {\n" \
	"  %x = load i32, ptr " variable "\n  ret i32 %x\n}\n"

/* Is the first load, store or copy of the joined function volatile? */
static bool is_kept(const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(joined, name), i;

	assert_non_null(f);
	i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(f));
	while (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i) &&
	       !LLVMIsAMemIntrinsic(i))
		i = LLVMGetNextInstruction(i);
	return LLVMIsAMemIntrinsic(i) ?
	       LLVMConstIntGetZExtValue(LLVMGetOperand(i, 3)) != 0 :
	       LLVMGetVolatile(i);
}

static void what_a_handler_sets_is_read_each_time(void **state)
{
	(void)state;
	join_text(FLAG READS("done", "@flag") READS("not", "@other")
		  "declare ptr @signal(i32, ptr)\n"
		  "define i32 @main() {\n"
		  "  call ptr @signal(i32 2, ptr @handle)\n"
		  "  ret i32 0\n}\n");
	assert_true(is_kept("done"));
	assert_false(is_kept("not"));
	forget();
}

/* It was inferred that it only reads; so did its caller. */
static void nor_is_its_call_left_out(void **state)
{
	(void)state;
	join_text(FLAG READS("done", "@flag") READS("not", "@other")
		  "declare ptr @signal(i32, ptr)\n"
		  "define i32 @outer() memory(read) {\n"
		  "  %x = call i32 @done() memory(read)\n  ret i32 %x\n}\n"
		  "define i32 @main() {\n"
		  "  call ptr @signal(i32 2, ptr @handle)\n"
		  "  ret i32 0\n}\n");
	assert_false(has("done", "memory"));
	assert_false(has("done", "nosync"));
	assert_false(has("outer", "memory"));
	assert_true(has("not", "memory"));
	forget();
}

static void what_a_handler_reads_is_set_each_time(void **state)
{
	(void)state;
	join_text("@level = global i32 0\n@seen = global i32 0\n"
		  "declare ptr @signal(i32, ptr)\n"
		  "define void @deeper() {\n"
		  "  %x = load i32, ptr @level\n"
		  "  store i32 %x, ptr @seen\n  ret void\n}\n"
		  "define void @handle(i32 %s) {\n"
		  "  call void @deeper()\n  ret void\n}\n"
		  "define i32 @main() {\n"
		  "  store i32 7, ptr @level\n"
		  "  call ptr @signal(i32 2, ptr @handle)\n"
		  "  ret i32 0\n}\n");
	assert_true(is_kept("main"));
	forget();
}

/* By memory, by a function that passes it on, by one of two, and from a table,
 * of which a pointer goes through the whole. */
static void handlers_are_found(void **state)
{
	static const char *const ways[] = {
		"  %a = alloca [152 x i8]\n"
		"  store ptr @handle, ptr %a\n"
		"  call i32 @sigaction(i32 2, ptr %a, ptr null)\n",
		"  call i32 @sigaction(i32 2, ptr @action, ptr null)\n",
		"  %a = alloca [152 x i8]\n"
		"  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @action, "
		"i64 152, i1 false)\n"
		"  call i32 @sigaction(i32 2, ptr %a, ptr null)\n",
		"  call void @install(i32 2, ptr @handle)\n",
		"  %w = select i1 %which, ptr @handle, ptr inttoptr "
		"(i64 1 to ptr)\n"
		"  call void @install(i32 2, ptr %w)\n",
		"  br label %next\nnext:\n"
		"  %at = phi ptr [ @action, %0 ], [ %after, %next ]\n"
		"  %h = load ptr, ptr %at\n"
		"  call void @install(i32 2, ptr %h)\n"
		"  %after = getelementptr i8, ptr %at, i64 8\n"
		"  br i1 %which, label %next, label %end\nend:\n",
		"  %h = load ptr, ptr @filled\n"
		"  call void @install(i32 2, ptr %h)\n",
		"  %list = load ptr, ptr @list\n"
		"  %h = load ptr, ptr %list\n"
		"  call void @install(i32 2, ptr %h)\n",
	};
	static const char install[] =
		"@action = global { ptr, [144 x i8] } "
		"{ ptr @handle, [144 x i8] zeroinitializer }\n"
		"@filled = global ptr null\n@list = global ptr null\n"
		"define void @fill() {\n"
		"  store ptr @handle, ptr @filled\n  ret void\n}\n"
		"declare i32 @sigaction(i32, ptr, ptr)\n"
		"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
		"define void @install(i32 %n, ptr %h) {\n"
		"  %a = alloca [152 x i8]\n"
		"  store ptr %h, ptr %a\n"
		"  call i32 @sigaction(i32 %n, ptr %a, ptr null)\n"
		"  ret void\n}\n"
		"define i32 @main(i1 %which) {\n";
	char text[2000];

	(void)state;
	for (size_t k = 0; k < sizeof(ways) / sizeof(*ways); k++) {
		snprintf(text, sizeof(text), "%s%s%s%s",
			 FLAG READS("done", "@flag"), install, ways[k],
			 "  ret i32 0\n}\n");
		join_text(text);
		if (!is_kept("done"))
			fail_msg("%s", ways[k]);
		forget();
	}
}

/* The same function, not given to signal(3); and one beside a handler, which
 * none can be. */
static void others_are_not(void **state)
{
	(void)state;
	join_text(FLAG READS("done", "@flag") READS("not", "@other")
		  "@table = constant { ptr, ptr } { ptr @handle, ptr @run }\n"
		  "declare ptr @signal(i32, ptr)\n"
		  "define i32 @run(i32 %x) {\n"
		  "  store i32 1, ptr @other\n  ret i32 0\n}\n"
		  "define i32 @main() {\n"
		  "  %h = load ptr, ptr @table\n"
		  "  call ptr @signal(i32 2, ptr %h)\n"
		  "  ret i32 0\n}\n");
	assert_true(is_kept("done"));
	assert_false(is_kept("not"));
	forget();
	join_text(FLAG READS("done", "@flag")
		  "declare void @use(ptr)\n"
		  "define i32 @main() {\n"
		  "  call void @use(ptr @handle)\n"
		  "  ret i32 0\n}\n");
	assert_false(is_kept("done"));
	assert_true(has("done", "memory"));
	forget();
}

/* One field of a structure, and any element of an array. */
static void by_the_place_in_a_variable(void **state)
{
	(void)state;
	join_text("@all = global [8 x i32] zeroinitializer\n"
		  "@pending = global [65 x i32] zeroinitializer\n"
		  "declare ptr @signal(i32, ptr)\n"
		  "define void @handle(i32 %s) {\n"
		  "  store i32 1, ptr getelementptr (i8, ptr @all, i64 8)\n"
		  "  %p = getelementptr [65 x i32], ptr @pending, i64 0, i32 %s\n"
		  "  store i32 1, ptr %p\n"
		  "  ret void\n}\n"
		  READS("same", "getelementptr (i8, ptr @all, i64 8)")
		  READS("field", "getelementptr (i8, ptr @all, i64 12)")
		  "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
		  "define i64 @both() {\n"
		  "  %x = load i64, ptr getelementptr (i8, ptr @all, i64 4)\n"
		  "  ret i64 %x\n}\n"
		  "define void @copied(ptr %to) {\n"
		  "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @all, "
		  "i64 12, i1 false)\n  ret void\n}\n"
		  "define void @before(ptr %to) {\n"
		  "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @all, "
		  "i64 8, i1 false)\n  ret void\n}\n"
		  READS("element", "getelementptr (i8, ptr @pending, i64 8)")
		  "define i32 @main() {\n"
		  "  call ptr @signal(i32 2, ptr @handle)\n"
		  "  ret i32 0\n}\n");
	assert_true(is_kept("same"));
	assert_true(is_kept("both"));
	assert_true(is_kept("copied"));
	assert_false(is_kept("before"));
	assert_false(is_kept("field"));
	assert_true(is_kept("element"));
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_handler_sets_is_read_each_time),
		cmocka_unit_test(nor_is_its_call_left_out),
		cmocka_unit_test(what_a_handler_reads_is_set_each_time),
		cmocka_unit_test(handlers_are_found),
		cmocka_unit_test(others_are_not),
		cmocka_unit_test(by_the_place_in_a_variable),
	};

	return cmocka_run_group_tests(tests, open_executable, NULL);
}
