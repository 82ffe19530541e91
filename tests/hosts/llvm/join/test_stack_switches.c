/*
 * test_stack_switches.c - what may go on on another thread asks for its
 * thread-local variables each time
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "joined.h"

#define PROGRAM \
	"@queue = thread_local global i32 0\n" \
	"declare ptr @llvm.threadlocal.address.p0(ptr)\n" \
	"define ptr @mine() memory(none) nosync {\n" \
	"  %p = call ptr @llvm.threadlocal.address.p0(ptr @queue)\n" \
	"  ret ptr %p\n}\n" \
	"define ptr @outer() memory(none) nosync {\n" \
	"  %p = call ptr @mine() memory(none)\n  ret ptr %p\n}\n" \
	"define i32 @other() memory(none) {\n  ret i32 1\n}\n"

static void of_a_program_with_fibers(void **state)
{
	(void)state;
	join_text(PROGRAM
		  "declare i32 @swapcontext(ptr, ptr)\n"
		  "define i32 @main() {\n"
		  "  %x = call i32 @swapcontext(ptr null, ptr null)\n"
		  "  ret i32 %x\n}\n");
	assert_true(has("mine", "noinline"));
	assert_false(has("mine", "memory"));
	assert_false(has("outer", "memory"));
	assert_false(has("outer", "noinline"));
	assert_true(has("other", "memory"));
	forget();
}

static void others_are_as_they_were(void **state)
{
	(void)state;
	join_text(PROGRAM "define i32 @main() {\n  ret i32 0\n}\n");
	assert_false(has("mine", "noinline"));
	assert_true(has("mine", "memory"));
	assert_true(has("outer", "memory"));
	forget();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_program_with_fibers),
		cmocka_unit_test(others_are_as_they_were),
	};

	return cmocka_run_group_tests(tests, open_executable, NULL);
}
