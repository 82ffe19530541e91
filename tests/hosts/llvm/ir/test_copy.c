/*
 * test_copy.c - a body is the same in every copy, whoever read it
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <llvm-c/BitWriter.h>

#include "ir/copy.h"
#include "../ir_text.h"

/* Number 0 has labels, whose addresses are in a table; LLVM reads it along with
 * number 1, which names the table. */
static const char text[] =
	"target datalayout = \"e-m:e-i64:64\"\n"
	"@table = internal constant [2 x ptr] [ptr blockaddress(@f, %a), "
	"ptr blockaddress(@f, %b)]\n"
	"define i64 @f(ptr %p, ptr %l) {\n"
	"  %q = getelementptr i8, ptr %p, i64 24\n"
	"  indirectbr ptr %l, [label %a, label %b]\n"
	"a:\n  %x = load i64, ptr %q\n  ret i64 %x\n"
	"b:\n  ret i64 2\n}\n"
	"define ptr @g() {\n  ret ptr @table\n}\n";

static struct cofl_copy *copy;

static int open_copy(void **state)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(text, &context);
	char why[256] = "";

	/* It has to stay, as long as the copy. */
	*state = LLVMWriteBitcodeToMemoryBuffer(module);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	copy = cofl_copy_open(*state, NULL, why, sizeof(why));
	return copy == NULL;
}

static int close_copy(void **state)
{
	cofl_copy_dispose(copy);
	LLVMDisposeMemoryBuffer(*state);
	return 0;
}

static unsigned instructions_in_entry(uint32_t i)
{
	LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(copy->function[i]);
	unsigned n = 0;

	for (LLVMValueRef at = LLVMGetFirstInstruction(b); at != NULL;
	     at = LLVMGetNextInstruction(at))
		n++;
	return n;
}

static void what_is_asked_for_is_sunk(void **state)
{
	(void)state;
	assert_true(cofl_copy_body(copy, 0));
	assert_int_equal(instructions_in_entry(0), 1);
}

static void so_is_what_llvm_reads_by_itself(void **state)
{
	(void)state;
	assert_true(cofl_copy_body(copy, 1));
	/* LLVM has read it, and nobody asked for it. */
	assert_int_equal(LLVMCountBasicBlocks(copy->function[0]), 3);
	assert_int_equal(instructions_in_entry(0), 2);
	assert_true(cofl_copy_body(copy, 0));
	assert_int_equal(instructions_in_entry(0), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_asked_for_is_sunk,
						open_copy, close_copy),
		cmocka_unit_test_setup_teardown(so_is_what_llvm_reads_by_itself,
						open_copy, close_copy),
	};

	return cmocka_run_group_tests_name("copy", tests, NULL, NULL);
}
