/*
 * test_sink.c - constant offsets go where they are used
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include <llvm-c/Analysis.h>

#include "../ir_text.h"
#include "ir/loops.h"
#include "ir/sink.h"

static LLVMContextRef context;
static LLVMModuleRef  module;
static LLVMValueRef   f;

/* Offsets in block number b. */
static unsigned offsets_in(unsigned b)
{
	LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(f);
	unsigned n = 0;

	while (b-- > 0)
		at = LLVMGetNextBasicBlock(at);
	for (LLVMValueRef i = LLVMGetFirstInstruction(at); i != NULL;
	     i = LLVMGetNextInstruction(i))
		n += LLVMIsAGetElementPtrInst(i) != NULL;
	return n;
}

static uint32_t alive_at_first_header(void)
{
	struct cofl_loops loops;
	uint32_t n;

	cofl_loops_find(&loops, f);
	assert_true(loops.n_loops > 0);
	n = loops.loop[0].n_live;
	cofl_loops_free(&loops);
	return n;
}

static void read(const char *text)
{
	module = ir_text(text, &context);
	f = LLVMGetFirstFunction(module);
}

static void sink(void)
{
	char *error = NULL;

	cofl_sink(f);
	if (LLVMVerifyModule(module, LLVMReturnStatusAction, &error))
		fail_msg("%s", error);
	LLVMDisposeMessage(error);
}

static void done(void)
{
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

static void what_was_hoisted_is_not_alive_in_the_loop(void **state)
{
	(void)state;
	read("define i32 @f(ptr %p, i32 %n) {\n"
	     "  %a = getelementptr i8, ptr %p, i64 24\n"
	     "  %b = getelementptr i8, ptr %a, i64 8\n"
	     "  br label %loop\n"
	     "loop:\n"
	     "  %i = phi i32 [ 0, %0 ], [ %more, %loop ]\n"
	     "  %x = load volatile i32, ptr %a\n"
	     "  %y = load volatile i32, ptr %b\n"
	     "  %more = add i32 %i, 1\n"
	     "  %again = icmp slt i32 %more, %n\n"
	     "  br i1 %again, label %loop, label %end\n"
	     "end:\n"
	     "  ret i32 %x\n}\n");
	assert_int_equal(alive_at_first_header(), 4);	/* a, b, n, i */
	sink();
	assert_int_equal(offsets_in(0), 0);
	assert_int_equal(offsets_in(1), 3);	/* b has an a of its own */
	assert_int_equal(alive_at_first_header(), 3);	/* p, n, i */
	done();
}

static void a_phi_has_it_where_it_comes_from(void **state)
{
	(void)state;
	read("define ptr @f(ptr %p, i1 %c) {\n"
	     "  %a = getelementptr i8, ptr %p, i64 24\n"
	     "  br i1 %c, label %one, label %other\n"
	     "one:\n"
	     "  br label %end\n"
	     "other:\n"
	     "  br i1 %c, label %end, label %end\n"
	     "end:\n"
	     "  %r = phi ptr [ null, %one ], [ %a, %other ], [ %a, %other ]\n"
	     "  ret ptr %r\n}\n");
	sink();
	assert_int_equal(offsets_in(0), 0);
	assert_int_equal(offsets_in(1), 0);
	assert_int_equal(offsets_in(2), 1);
	assert_int_equal(offsets_in(3), 0);
	done();
}

static void a_block_has_one_for_all_who_use_it(void **state)
{
	(void)state;
	read("define void @f(ptr %p, ptr %q) {\n"
	     "  %a = getelementptr i8, ptr %p, i64 24\n"
	     "  store volatile i8 1, ptr %a\n"
	     "  br label %next\n"
	     "next:\n"
	     "  store volatile i8 1, ptr %a\n"
	     "  store volatile ptr %a, ptr %a\n"
	     "  ret void\n}\n");
	sink();
	assert_int_equal(offsets_in(0), 1);
	assert_int_equal(offsets_in(1), 1);
	done();
}

static void what_is_computed_stays(void **state)
{
	(void)state;
	read("define void @f(ptr %p, i64 %i, <2 x ptr> %v) {\n"
	     "  %a = getelementptr i8, ptr %p, i64 %i\n"
	     "  %b = getelementptr i8, <2 x ptr> %v, i64 8\n"
	     "  br label %next\n"
	     "next:\n"
	     "  store volatile i8 1, ptr %a\n"
	     "  store volatile <2 x ptr> %b, ptr %p\n"
	     "  ret void\n}\n");
	sink();
	assert_int_equal(offsets_in(0), 2);
	assert_int_equal(offsets_in(1), 0);
	done();
}

static void behind_a_landing_pad(void **state)
{
	(void)state;
	read("define void @f(ptr %p) personality ptr @person {\n"
	     "  %a = getelementptr i8, ptr %p, i64 24\n"
	     "  invoke void @g() to label %good unwind label %bad\n"
	     "good:\n"
	     "  ret void\n"
	     "bad:\n"
	     "  %e = landingpad { ptr, i32 } cleanup\n"
	     "  store volatile i8 1, ptr %a\n"
	     "  resume { ptr, i32 } %e\n}\n"
	     "declare void @g()\n"
	     "declare i32 @person(...)\n");
	sink();
	assert_int_equal(offsets_in(0), 0);
	assert_int_equal(offsets_in(2), 1);
	done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_hoisted_is_not_alive_in_the_loop),
		cmocka_unit_test(a_phi_has_it_where_it_comes_from),
		cmocka_unit_test(a_block_has_one_for_all_who_use_it),
		cmocka_unit_test(what_is_computed_stays),
		cmocka_unit_test(behind_a_landing_pad),
	};

	return cmocka_run_group_tests_name("sink", tests, NULL, NULL);
}
