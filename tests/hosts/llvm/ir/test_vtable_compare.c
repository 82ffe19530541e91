/*
 * test_vtable_compare.c - of comparisons with a function, those change that
 * promotion made of what was loaded from a vtable
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "ir/vtable_compare.h"
#include "../ir_text.h"

static const char program[] =
	"declare void @f()\n"
	"define void @g(ptr %o, ptr %p) {\n"
	"  %vt = load ptr, ptr %o, !tbaa !1\n"
	"  %slot = getelementptr ptr, ptr %vt, i64 2\n"
	"  %fp = load ptr, ptr %slot\n"
	"  %first = load ptr, ptr %vt\n"
	"  %table = load ptr, ptr %p, !tbaa !4\n"
	"  %other = load ptr, ptr %table\n"
	"  %made = icmp eq ptr %fp, @f\n"
	"  %made0 = icmp eq ptr %first, @f\n"
	"  %own = icmp eq ptr %fp, @f, !cof.of !6\n"
	"  %unlike = icmp ne ptr %fp, @f\n"
	"  %elsewhere = icmp eq ptr %other, @f\n"
	"  %argument = icmp eq ptr %p, @f\n"
	"  %both = icmp eq ptr %fp, %other\n"
	"  ret void\n}\n"
	"!1 = !{!2, !2, i64 0}\n"
	"!2 = !{!\"vtable pointer\", !3, i64 0}\n"
	"!3 = !{!\"root\"}\n"
	"!4 = !{!5, !5, i64 0}\n"
	"!5 = !{!\"any pointer\", !3, i64 0}\n"
	"!6 = !{i32 0}\n";

/* The name of what the comparison of this name compares with. */
static const char *with(LLVMModuleRef module, const char *name)
{
	LLVMValueRef f = LLVMGetNamedFunction(module, "g");
	size_t n;

	for (LLVMValueRef i = LLVMGetFirstInstruction(
		     LLVMGetEntryBasicBlock(f));
	     i != NULL; i = LLVMGetNextInstruction(i))
		if (strcmp(LLVMGetValueName2(i, &n), name) == 0)
			return LLVMGetValueName2(LLVMGetOperand(i, 1), &n);
	fail_msg("no %s", name);
	return NULL;
}

static void promoted_virtual_calls_compare_with_the_slot(void **state)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(program, &context);

	(void)state;
	cofl_vtable_compare(module,
			    LLVMGetMDKindIDInContext(context, "cof.of", 6));
	assert_string_equal(with(module, "made"), "cof.slot.f");
	assert_string_equal(with(module, "made0"), "cof.slot.f");
	assert_string_equal(with(module, "own"), "f");
	assert_string_equal(with(module, "unlike"), "f");
	assert_string_equal(with(module, "elsewhere"), "f");
	assert_string_equal(with(module, "argument"), "f");
	assert_string_equal(with(module, "both"), "other");
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(promoted_virtual_calls_compare_with_the_slot),
	};

	return cmocka_run_group_tests_name("vtable_compare", tests, NULL, NULL);
}
