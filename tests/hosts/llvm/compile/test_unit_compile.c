/*
 * test_unit_compile.c - a unit that is not wanted any more is not finished
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <llvm-c/BitWriter.h>
#include <llvm-c/Target.h>

#include "compile/unit_compile.h"
#include "ir/copy.h"
#include "../ir_text.h"

static const char program[] =
	"target triple = \"x86_64-pc-linux-gnu\"\n"
	"define i32 @callee(i32 %a) {\n"
	"  %r = add i32 %a, 1\n  ret i32 %r\n}\n"
	"define i32 @main() {\n"
	"  %r = call i32 @callee(i32 1)\n  ret i32 %r\n}\n";

static struct cofl_method method[2];

static struct cof_method *add_method(struct cofl_method *m)
{
	return m->method;
}

static bool is_same(struct cofl_method *m, const void *code, size_t bytes)
{
	(void)m;
	(void)code;
	(void)bytes;
	return false;
}

static struct cofl host = { .method = method, .n_methods = 2,
			    .add_method = add_method, .is_same = is_same };
static struct cofl_copy *copy;
static struct cof_version_desc desc;
static struct cofl_ir ir;
static char why[128];
static int stop;

static int setup(void **state)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(program, &context);

	(void)state;
	pthread_mutex_init(&host.profile_lock, NULL);
	host.bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	copy = cofl_copy_open(host.bitcode, NULL, why, sizeof(why));
	assert_non_null(copy);
	assert_int_equal(copy->n_functions, 2);
	for (uint32_t i = 0; i < 2; i++)
		method[i] = (struct cofl_method){
			.host = &host, .number = i,
			.name = LLVMGetValueName2(copy->function[i],
						  &(size_t){ 0 }),
		};
	ir = (struct cofl_ir){ .method = &method[1], .copy = copy };
	desc = (struct cof_version_desc){ .size = sizeof(desc) };
	stop = 0;
	why[0] = '\0';
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cofl_copy_dispose(copy);
	LLVMDisposeMemoryBuffer(host.bitcode);
	pthread_mutex_destroy(&host.profile_lock);
	return 0;
}

/* The method's body, and from here on nobody wants the unit. */
static LLVMValueRef make(void *arg, struct cofl_clone *unit,
			 struct cofl_heat *heat)
{
	(void)heat;
	stop = 1;
	return cofl_clone_function(unit, copy->function[1], arg,
				   LLVMExternalLinkage);
}

static void stopped_before_its_inliner_it_says_so(void **state)
{
	char body[] = "body";
	const struct cofl_unit_around around = {
		.plan = COF_PLAN_SPEED, .make = make, .arg = body,
		.body = body,
	};

	(void)state;
	assert_int_equal(cofl_unit_compile_around(&ir, &around, &stop, &desc,
						  why, sizeof(why)),
			 -COF_E_STATE);
	assert_int_equal(stop, 1);
	assert_string_equal(why, "not wanted any more");
	assert_null(desc.start);
	assert_null(desc.data);
}

static void stopped_after_its_inliner_it_says_so(void **state)
{
	struct cofl_ir *one = &ir;

	(void)state;
	stop = 1;
	assert_int_equal(cofl_unit_compile_build(&one, 1, &stop, &desc, why,
						 sizeof(why)), -COF_E_STATE);
	assert_string_equal(why, "not wanted any more");
	assert_null(desc.start);
	assert_null(desc.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			stopped_before_its_inliner_it_says_so, setup, teardown),
		cmocka_unit_test_setup_teardown(
			stopped_after_its_inliner_it_says_so, setup, teardown),
	};

	LLVMInitializeX86TargetInfo();
	LLVMInitializeX86Target();
	LLVMInitializeX86TargetMC();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
