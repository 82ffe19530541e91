/*
 * test_recover.c - where LLVM gives up, a build ends, and the process goes on
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <llvm-c/BitWriter.h>

#include "compile/build.h"
#include "ir/copy.h"
#include "../ir_text.h"
#include "module/llvm.h"
#include "support/fatal.h"
#include "support/recover.h"

static void nothing(void *arg)
{
	++*(int *)arg;
}

static void give_up(void *arg)
{
	(void)arg;
	cofl_fatal_by_llvm("two\nlines");
}

void *_Znwm(size_t bytes);

static void take_all(void *arg)
{
	*(void *volatile *)arg = _Znwm(SIZE_MAX / 2);
}

static void give_up_inside(void *arg)
{
	char why[64];

	assert_false(cofl_recover(give_up, arg, why, sizeof(why)));
	assert_string_equal(why, "two lines");
	cofl_fatal_by_llvm("outside");
}

static void what_ends_well_is_done(void **state)
{
	char why[64] = "before";
	int n = 0;

	(void)state;
	assert_true(cofl_recover(nothing, &n, why, sizeof(why)));
	assert_int_equal(n, 1);
	assert_string_equal(why, "before");
}

static void a_fatal_error_is_a_reason(void **state)
{
	char why[64] = "";

	(void)state;
	assert_false(cofl_recover(give_up, NULL, why, sizeof(why)));
	assert_string_equal(why, "two lines");
	assert_false(cofl_recover(give_up_inside, NULL, why, sizeof(why)));
	assert_string_equal(why, "outside");
}

static void so_is_memory_that_is_not_there(void **state)
{
	char why[64] = "";
	void *p = NULL;

	(void)state;
	assert_false(cofl_recover(take_all, &p, why, sizeof(why)));
	assert_string_equal(why, "out of memory");
	assert_null(p);
}

/* Outside there is nothing to leave. */
static void leaving_nothing_does_nothing(void **state)
{
	(void)state;
	cofl_recover_leave("no");
}

/* LLVM has no instruction for this without AVX-512, and says so by its fatal
 * error. What can be compiled still can be afterwards. */
static void llvm_gives_up_a_module(void **state)
{
	static const char text[] =
		"declare <16 x float> @llvm.x86.avx512.add.ps.512("
		"<16 x float>, <16 x float>, i32)\n"
		"define void @f(ptr %p) {\n"
		"  %x = load <16 x float>, ptr %p\n"
		"  %y = call <16 x float> @llvm.x86.avx512.add.ps.512("
		"<16 x float> %x, <16 x float> %x, i32 4)\n"
		"  store <16 x float> %y, ptr %p\n  ret void\n}\n";
	static const char good[] = "define i32 @g() {\n  ret i32 1\n}\n";
	char why[256] = "";
	struct cofl host = { .bytes = "" };

	(void)state;
	/* It installs the handlers. */
	assert_false(cofl_module_llvm.open(&host, why, sizeof(why)));
	for (int i = 0; i < 3; i++) {
		LLVMContextRef context;
		LLVMModuleRef m = ir_text(i == 1 ? good : text, &context);
		LLVMMemoryBufferRef bitcode =
			LLVMWriteBitcodeToMemoryBuffer(m), object;
		struct cofl_copy *copy = cofl_copy_open(bitcode, NULL, why,
							sizeof(why));

		assert_non_null(copy);
		assert_true(cofl_copy_body(copy, 0));
		*why = '\0';
		object = cofl_build_object(copy, COFL_DEFAULT, copy->module,
					   why, sizeof(why));
		if (i == 1) {
			assert_non_null(object);
			LLVMDisposeMemoryBuffer(object);
		} else {
			assert_null(object);
			assert_string_not_equal(why, "");
		}
		LLVMDisposeModule(m);
		LLVMContextDispose(context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ends_well_is_done),
		cmocka_unit_test(a_fatal_error_is_a_reason),
		cmocka_unit_test(so_is_memory_that_is_not_there),
		cmocka_unit_test(leaving_nothing_does_nothing),
		cmocka_unit_test(llvm_gives_up_a_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
