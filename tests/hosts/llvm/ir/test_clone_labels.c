/*
 * test_clone_labels.c - two clones of a function in one unit jump to labels of
 * their own
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/BitWriter.h>

#include "ir/blockaddress.h"
#include "ir/clone.h"
#include "ir/copy.h"
#include "../ir_text.h"

#define BODY(table)							\
	"target datalayout = \"e-m:e-i64:64\"\n"			\
	"@table = internal constant [2 x ptr] [ptr blockaddress(@f, %a), " \
	"ptr blockaddress(@f, %b)]\n"					\
	"define i64 @f(i64 %i) {\n"					\
	"  %p = getelementptr ptr, ptr " table ", i64 %i\n"		\
	"  %l = load ptr, ptr %p\n"					\
	"  indirectbr ptr %l, [label %a, label %b]\n"			\
	"a:\n  ret i64 1\n"						\
	"b:\n  ret i64 2\n}\n"

/* The function whose labels are in the table that `f` reads. */
static LLVMValueRef owner(LLVMValueRef f)
{
	LLVMValueRef table = LLVMGetOperand(
		LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), 0);

	if (LLVMIsAConstantExpr(table))
		table = LLVMGetOperand(table, 0);
	assert_non_null(LLVMIsAGlobalVariable(table));
	assert_int_equal(LLVMGetLinkage(table), LLVMInternalLinkage);
	return cofl_blockaddress_owner(LLVMGetInitializer(table));
}

static void each_has_its_own(const char *text)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(text, &context);
	LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
	LLVMValueRef one, two;
	struct cofl_clone unit;
	struct cofl_copy *copy;
	char why[256] = "";

	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	copy = cofl_copy_open(bitcode, NULL, why, sizeof(why));
	assert_non_null(copy);
	assert_true(cofl_copy_body(copy, 0));
	cofl_clone_init(&unit, copy, "unit");
	one = cofl_clone_function(&unit, copy->function[0], "one",
				  LLVMExternalLinkage);
	two = cofl_clone_function(&unit, copy->function[0], "two",
				  LLVMExternalLinkage);
	assert_string_equal(unit.why, "");
	assert_ptr_equal(owner(one), one);
	assert_ptr_equal(owner(two), two);
	assert_false(LLVMVerifyModule(unit.module, LLVMReturnStatusAction,
				      NULL));
	cofl_clone_dispose(&unit);
	cofl_copy_dispose(copy);
	LLVMDisposeMemoryBuffer(bitcode);
}

static void by_a_table(void **state)
{
	(void)state;
	each_has_its_own(BODY("@table"));
}

static void by_a_place_in_a_table(void **state)
{
	(void)state;
	each_has_its_own(BODY("getelementptr (ptr, ptr @table, i64 1)"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_a_table),
		cmocka_unit_test(by_a_place_in_a_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
