/*
 * test_annotate.c - counts of a method, whatever time it counted for, are told
 * per time
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "compile/annotate.h"
#include "ir/body.h"
#include "profile/method_profile.h"
#include "../ir_text.h"

#define COUNTED_MS 20u
#define TIMES      50u		/* so often in COFL_PER_NS */
#define ENTRIES    1000u
#define SEEN       900u		/* of them, of the one target */

static const char program[] =
	"define i32 @f(ptr %t, i32 %x) {\n"
	"  %r = call i32 %t(i32 %x)\n  ret i32 %r\n}\n"
	"define i32 @target(i32 %x) {\n  ret i32 %x\n}\n";

static struct cofl_method method[2];
static struct cofl host = { .method = method, .n_methods = 2 };

static uint64_t operand(LLVMValueRef node, unsigned i)
{
	LLVMValueRef op[8];

	assert_in_range(LLVMGetMDNodeNumOperands(node), i + 1, 8);
	LLVMGetMDNodeOperands(node, op);
	return LLVMConstIntGetZExtValue(op[i]);
}

static void sites_and_entries_are_per_time(void **state)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(program, &context);
	LLVMValueRef f = LLVMGetNamedFunction(module, "f"), values;
	unsigned prof = LLVMGetMDKindIDInContext(context, "prof", 4);
	struct cofl_heat heat;
	struct cofl_body body;
	struct cofl_profile *p;

	(void)state;
	pthread_mutex_init(&host.profile_lock, NULL);
	cofl_body_read(&body, f);
	assert_int_equal(body.outline.n_sites, 1);
	p = cofl_profile_new(&body.outline, body.kind);
	p->ns = UINT64_C(1000000) * COUNTED_MS;
	for (uint32_t e = 0; e < body.outline.n_edges; e++)
		p->edge[e] = ENTRIES;
	p->site[0].seen[0] = (struct cofl_seen){ 1, SEEN };
	method[0] = (struct cofl_method){ .host = &host, .name = "f",
					  .profile = p };
	method[1] = (struct cofl_method){ .host = &host, .number = 1,
					  .name = "target" };
	assert_true(cofl_annotate(&method[0], f, &body, &heat));
	assert_int_equal(heat.node[1], TIMES * ENTRIES);
	/* "VP", kind, how often, then a value and its count */
	values = LLVMGetMetadata(body.site[0], prof);
	assert_non_null(values);
	assert_int_equal(operand(values, 2), TIMES * ENTRIES);
	assert_int_equal(operand(values, 4), TIMES * SEEN);
	cofl_annotate_heat_free(&heat);
	cofl_profile_free(p);
	cofl_body_free(&body);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	pthread_mutex_destroy(&host.profile_lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sites_and_entries_are_per_time),
	};

	return cmocka_run_group_tests_name("annotate", tests, NULL, NULL);
}
