/*
 * test_body.c - what of a function a profile has values of
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/body.h"
#include "../ir_text.h"

/* "cs": a call, then a size. */
static void assert_sites(const char *expected, const char *text)
{
	static const char letter[] = { [COFL_SITE_CALL] = 'c',
				       [COFL_SITE_SIZE] = 's' };
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(text, &context);
	struct cofl_body body;
	char seen[16] = "";

	cofl_body_read(&body, LLVMGetFirstFunction(module));
	assert_true(body.outline.n_sites < sizeof(seen));
	for (uint32_t i = 0; i < body.outline.n_sites; i++)
		seen[i] = letter[body.kind[i]];
	assert_string_equal(seen, expected);
	cofl_body_free(&body);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

static void calls_through_pointers(void **state)
{
	(void)state;
	assert_sites("cc",
		"define void @f(ptr %p, ptr %q) {\n"
		"  call void %p()\n"
		"  call void @g()\n"
		"  %l = load ptr, ptr %q\n"
		"  call void %l()\n"
		"  ret void\n}\n"
		"declare void @g()\n");
}

static void copies_of_any_length(void **state)
{
	(void)state;
	assert_sites("sss",
		"define void @f(ptr %p, ptr %q, i64 %n) {\n"
		"  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 0)\n"
		"  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 8, i1 0)\n"
		"  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 0)\n"
		"  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %n, i1 0)\n"
		"  ret void\n}\n");
}

static void comparisons_of_any_length(void **state)
{
	(void)state;
	assert_sites("ss",
		"define i32 @f(ptr %p, ptr %q, i64 %n) {\n"
		"  %a = call i32 @memcmp(ptr %p, ptr %q, i64 %n)\n"
		"  %b = call i32 @memcmp(ptr %p, ptr %q, i64 4)\n"
		"  %c = call i32 @bcmp(ptr %p, ptr %q, i64 %n)\n"
		"  ret i32 %a\n}\n"
		"declare i32 @memcmp(ptr, ptr, i64)\n"
		"declare i32 @bcmp(ptr, ptr, i64)\n");
}

/* A program may say of memcmp what it likes. */
static void none_that_llvm_could_not_make_variants_of(void **state)
{
	(void)state;
	assert_sites("",
		"define i32 @f(ptr %p, ptr %q, i64 %n) {\n"
		"  %i = trunc i64 %n to i32\n"
		"  %a = call i32 @memcmp(ptr %p, ptr %q, i32 %i)\n"
		"  %b = call i32 @memcmp(ptr %p, ptr %q, ptr %p)\n"
		"  %c = musttail call i32 @bcmp(ptr %p, ptr %q, i64 %n)\n"
		"  ret i32 %c\n}\n"
		"declare i32 @memcmp(ptr, ptr, i32)\n"
		"declare i32 @bcmp(ptr, ptr, i64)\n");
}

static void no_other_function(void **state)
{
	(void)state;
	assert_sites("",
		"define i32 @f(ptr %p, ptr %q, i64 %n) {\n"
		"  %a = call i32 @memcmp.cof(ptr %p, ptr %q, i64 %n)\n"
		"  %b = call i32 @bcmp(ptr %p, ptr %q)\n"
		"  %c = call i32 @strncmp(ptr %p, ptr %q, i64 %n)\n"
		"  %d = call i64 @llvm.umin.i64(i64 %n, i64 %n)\n"
		"  ret i32 %a\n}\n"
		"declare i32 @memcmp.cof(ptr, ptr, i64)\n"
		"declare i32 @bcmp(ptr, ptr)\n"
		"declare i32 @strncmp(ptr, ptr, i64)\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_through_pointers),
		cmocka_unit_test(copies_of_any_length),
		cmocka_unit_test(comparisons_of_any_length),
		cmocka_unit_test(none_that_llvm_could_not_make_variants_of),
		cmocka_unit_test(no_other_function),
	};

	return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
