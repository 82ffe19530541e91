/*
 * test_llvm_shim.c - what is changed by LLVM's C++ is correct, and means the
 * same
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <llvm-c/Analysis.h>

#include "ir/llvm_shim.h"
#include "../ir_text.h"
#include "support/map.h"

static LLVMContextRef    context;
static LLVMModuleRef     module;
static LLVMBasicBlockRef block[8];

/* Parse, and note the blocks of the first function that has some. */
static void read(const char *text)
{
	LLVMValueRef f;

	module = ir_text(text, &context);
	f = LLVMGetFirstFunction(module);
	while (LLVMCountBasicBlocks(f) == 0)
		f = LLVMGetNextFunction(f);
	assert_in_range(LLVMCountBasicBlocks(f), 1, 8);
	LLVMGetBasicBlocks(f, block);
}

static void done(void)
{
	char *error = NULL;

	if (LLVMVerifyModule(module, LLVMReturnStatusAction, &error))
		fail_msg("%s", error);
	LLVMDisposeMessage(error);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
}

static void a_result_is_loaded_where_it_is_used(void **state)
{
	LLVMValueRef sum, variable, i;

	(void)state;
	read("define i32 @f(i32 %n) {\n"
	     "entry:\n  %s = add i32 %n, 1\n  br label %next\n"
	     "next:\n  %t = mul i32 %s, %s\n  ret i32 %t\n}\n");
	sum = LLVMGetFirstInstruction(block[0]);
	variable = cofl_llvm_shim_demote(sum);
	assert_non_null(LLVMIsAAllocaInst(variable));
	assert_ptr_equal(LLVMGetOperand(LLVMGetNextInstruction(sum), 0), sum);
	i = LLVMGetFirstInstruction(block[1]);
	assert_non_null(LLVMIsALoadInst(i));
	assert_ptr_equal(LLVMGetOperand(i, 0), variable);
	done();
}

static void what_nothing_uses_stays(void **state)
{
	(void)state;
	read("define void @f() {\nentry:\n  %v = call i32 @g()\n  ret void\n}\n"
	     "declare i32 @g()\n");
	assert_null(cofl_llvm_shim_demote(LLVMGetFirstInstruction(block[0])));
	assert_non_null(LLVMIsACallInst(LLVMGetFirstInstruction(block[0])));
	done();
}

/* The block that the PHI's value comes from is one behind the invoke. */
static void the_result_of_an_invoke_is_stored_before_a_phi_uses_it(void **state)
{
	LLVMValueRef invoke, variable, loaded, phi;
	LLVMBasicBlockRef between;

	(void)state;
	read("declare i32 @g()\ndeclare i32 @p(...)\n"
	     "define i32 @f() personality ptr @p {\n"
	     "entry:\n  %v = invoke i32 @g() to label %go unwind label %bad\n"
	     "go:\n  %w = phi i32 [%v, %entry]\n  ret i32 %w\n"
	     "bad:\n  %l = landingpad { ptr, i32 } cleanup\n"
	     "  resume { ptr, i32 } %l\n}\n");
	invoke = LLVMGetBasicBlockTerminator(block[0]);
	phi = LLVMGetFirstInstruction(block[1]);
	variable = cofl_llvm_shim_demote(invoke);
	between = LLVMGetIncomingBlock(phi, 0);
	loaded = LLVMGetIncomingValue(phi, 0);
	assert_ptr_equal(LLVMGetNormalDest(invoke), between);
	assert_ptr_equal(LLVMGetOperand(loaded, 0), variable);
	assert_ptr_equal(LLVMGetInstructionParent(loaded), between);
	assert_non_null(LLVMIsAStoreInst(LLVMGetPreviousInstruction(loaded)));
	done();
}

static void the_address_of_a_block_leads_to_its_first_half(void **state)
{
	LLVMBuilderRef builder;
	LLVMBasicBlockRef head;
	LLVMValueRef label;

	(void)state;
	read("@t = global ptr blockaddress(@f, %loop)\n"
	     "define void @f(ptr %to) {\n"
	     "entry:\n  indirectbr ptr %to, [label %loop]\n"
	     "loop:\n  %n = phi i32 [0, %entry], [%m, %loop]\n"
	     "  %m = add i32 %n, 1\n  indirectbr ptr %to, [label %loop]\n}\n");
	head = cofl_llvm_shim_split(LLVMGetNextInstruction(
		LLVMGetFirstInstruction(block[1])));
	assert_null(LLVMGetBasicBlockTerminator(head));
	builder = LLVMCreateBuilderInContext(context);
	LLVMPositionBuilderAtEnd(builder, head);
	LLVMBuildBr(builder, block[1]);
	LLVMDisposeBuilder(builder);
	label = LLVMGetInitializer(LLVMGetFirstGlobal(module));
	assert_ptr_equal(LLVMGetBlockAddressBasicBlock(label), head);
	assert_ptr_equal(LLVMGetIncomingBlock(LLVMGetFirstInstruction(head), 1),
			 block[1]);
	done();
}

static void assembly_may_jump(void **state)
{
	LLVMValueRef end;

	(void)state;
	read("define void @f() {\nentry:\n  ret void\n"
	     "go:\n  ret void\nleave:\n  ret void\n}\n");
	LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(block[0]));
	cofl_llvm_shim_callbr(block[0], "jmp ${1:l} # ${0:c}", "i,!i",
			      LLVMConstInt(LLVMInt32TypeInContext(context), 7,
					   0),
			      block[1], block[2]);
	end = LLVMGetBasicBlockTerminator(block[0]);
	assert_int_equal(LLVMGetInstructionOpcode(end), LLVMCallBr);
	assert_ptr_equal(LLVMGetSuccessor(end, 0), block[1]);
	assert_ptr_equal(LLVMGetSuccessor(end, 1), block[2]);
	done();
}

static void what_is_reached_is_what_control_may_come_to(void **state)
{
	struct cofl_map reached = { 0 };

	(void)state;
	read("define void @f(i1 %c) {\nentry:\n  br label %a\n"
	     "a:\n  br i1 %c, label %a, label %b\nb:\n  ret void\n"
	     "x:\n  br label %b\n}\n");
	cofl_llvm_shim_reach(block[1], &reached);
	assert_null(cofl_map_get(&reached, block[0]));
	assert_non_null(cofl_map_get(&reached, block[1]));
	assert_non_null(cofl_map_get(&reached, block[2]));
	assert_null(cofl_map_get(&reached, block[3]));
	cofl_map_free(&reached);
	done();
}

static void a_constant_is_rebuilt_with_all_it_says(void **state)
{
	LLVMValueRef g, of[2], c;

	(void)state;
	read("@v = constant [4 x i8] zeroinitializer\n"
	     "@w = constant [4 x i8] zeroinitializer\n"
	     "@p = constant ptr getelementptr inbounds inrange(-1, 1) "
	     "(i8, ptr @v, i64 1)\n"
	     "@q = constant ptr getelementptr inbounds inrange(-1, 1) "
	     "(i8, ptr @w, i64 1)\n"
	     "@s = constant { ptr, i32 } { ptr @v, i32 3 }\n"
	     "define void @f() {\nentry:\n  ret void\n}\n");
	c = LLVMGetInitializer(LLVMGetNamedGlobal(module, "p"));
	of[0] = g = LLVMGetNamedGlobal(module, "w");
	of[1] = LLVMGetOperand(c, 1);
	assert_ptr_equal(cofl_llvm_shim_constant(c, of, 2),
			 LLVMGetInitializer(LLVMGetNamedGlobal(module, "q")));
	c = LLVMGetInitializer(LLVMGetNamedGlobal(module, "s"));
	of[1] = LLVMGetOperand(c, 1);
	c = cofl_llvm_shim_constant(c, of, 2);
	assert_ptr_equal(LLVMGetOperand(c, 0), g);
	assert_ptr_equal(LLVMGetOperand(c, 1), of[1]);
	done();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_loaded_where_it_is_used),
		cmocka_unit_test(what_nothing_uses_stays),
		cmocka_unit_test(
			the_result_of_an_invoke_is_stored_before_a_phi_uses_it),
		cmocka_unit_test(
			the_address_of_a_block_leads_to_its_first_half),
		cmocka_unit_test(assembly_may_jump),
		cmocka_unit_test(what_is_reached_is_what_control_may_come_to),
		cmocka_unit_test(a_constant_is_rebuilt_with_all_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
