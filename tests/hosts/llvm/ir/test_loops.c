/*
 * test_loops.c - loops, what is live at them, and their OSR entries
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <llvm-c/Target.h>

#include "points/osr_entry.h"
#include "../ir_text.h"
#include "ir/loops.h"
#include "points/osr_sparse.h"

struct fixture {
	LLVMContextRef    context;
	LLVMModuleRef     module;
	LLVMValueRef      f;
	struct cofl_osr_entries osr;
};

/* Parse and look at the first function that has a body. */
static void look_at(struct fixture *x, const char *text)
{
	x->module = ir_text(text, &x->context);
	x->f = LLVMGetFirstFunction(x->module);
	while (LLVMCountBasicBlocks(x->f) == 0)
		x->f = LLVMGetNextFunction(x->f);
	cofl_osr_entry_find(&x->osr, x->f, LLVMGetModuleDataLayout(x->module));
}

static void done(struct fixture *x)
{
	cofl_osr_entry_free(&x->osr);
	LLVMDisposeModule(x->module);
	LLVMContextDispose(x->context);
}

static bool is_alive(const struct cofl_loop *loop, const char *name)
{
	for (uint32_t i = 0; i < loop->n_live; i++) {
		size_t n;
		const char *have = LLVMGetValueName2(loop->live[i], &n);

		if (n == strlen(name) && memcmp(have, name, n) == 0)
			return true;
	}
	return false;
}

static const char nest[] =
	"define i64 @f(i64 %n, i64 %unused) {\n"
	"entry:\n  %twice = add i64 %n, %n\n  br label %outer\n"
	"outer:\n  %i = phi i64 [0, %entry], [%i2, %latch]\n"
	"  %s = phi i64 [0, %entry], [%t2, %latch]\n  br label %inner\n"
	"inner:\n  %j = phi i64 [0, %outer], [%j2, %inner]\n"
	"  %t = phi i64 [%s, %outer], [%t2, %inner]\n"
	"  %t2 = add i64 %t, %twice\n  %j2 = add i64 %j, 1\n"
	"  %c = icmp ult i64 %j2, %n\n  br i1 %c, label %inner, label %latch\n"
	"latch:\n  %i2 = add i64 %i, 1\n  %d = icmp ult i64 %i2, %n\n"
	"  br i1 %d, label %outer, label %out\n"
	"out:\n  ret i64 %t2\n}\n";

static void outer_loops_come_before_inner_ones(void **state)
{
	struct fixture x;
	struct cofl_loops *l;

	(void)state;
	look_at(&x, nest);
	l = &x.osr.loops;
	assert_int_equal(l->n_loops, 2);
	assert_int_equal(l->loop[0].header, 1);
	assert_int_equal(l->loop[1].header, 2);
	assert_int_equal(l->loop[0].parent, COFL_NO_LOOP);
	assert_int_equal(l->loop[1].parent, 0);
	assert_true(l->loop[0].natural && l->loop[1].natural);
	assert_true(cofl_loops_inside(l, 1, 0));
	assert_false(cofl_loops_inside(l, 0, 1));
	done(&x);
}

static void alive_is_what_is_used_later(void **state)
{
	struct fixture x;
	struct cofl_loop *inner;

	(void)state;
	look_at(&x, nest);
	inner = &x.osr.loops.loop[1];
	assert_true(is_alive(inner, "n"));
	assert_true(is_alive(inner, "twice"));
	assert_true(is_alive(inner, "i"));
	assert_true(is_alive(inner, "j"));
	assert_true(is_alive(inner, "t"));
	assert_false(is_alive(inner, "unused"));
	assert_false(is_alive(inner, "s"));
	assert_false(is_alive(inner, "t2"));
	assert_int_equal(inner->n_live, 5);
	done(&x);
}

static void values_lie_apart_and_aligned(void **state)
{
	struct fixture x;
	const struct cofl_osr_entry *e;

	(void)state;
	look_at(&x, "target datalayout = \"e-i64:64-f80:128\"\n"
		    "define void @f(i8 %a, x86_fp80 %b, i64 %c) {\n"
		    "entry:\n  br label %l\n"
		    "l:\n  call void (...) @g(i8 %a, x86_fp80 %b, i64 %c)\n"
		    "  br label %l\n}\n"
		    "declare void @g(...)\n");
	e = &x.osr.entry[0];
	assert_true(e->possible);
	assert_int_equal(e->offset[0], 0);
	assert_int_equal(e->offset[1], 16);
	assert_int_equal(e->offset[2], 32);
	assert_int_equal(x.osr.bytes, 40);
	done(&x);
}

static const char two_entries[] =
	"define void @f(i1 %c) {\n"
	"entry:\n  br i1 %c, label %a, label %b\n"
	"a:\n  br label %b\nb:\n  br i1 %c, label %a, label %o\n"
	"o:\n  ret void\n}\n";

static void an_irreducible_cycle_has_a_header_without_a_body(void **state)
{
	struct fixture x;

	(void)state;
	look_at(&x, two_entries);
	assert_int_equal(x.osr.loops.n_loops, 1);
	assert_false(x.osr.loops.loop[0].natural);
	assert_int_equal(x.osr.n_possible, 1);
	done(&x);
}

static void blocks_are_as_deep_as_the_loops_around_them(void **state)
{
	struct fixture x;
	uint8_t depth[5];

	(void)state;
	look_at(&x, nest);
	cofl_loops_depths(x.f, depth);
	assert_memory_equal(depth, ((uint8_t[]){ 0, 1, 2, 1, 0 }), 5);
	done(&x);
	look_at(&x, two_entries);
	cofl_loops_depths(x.f, depth);
	assert_memory_equal(depth, ((uint8_t[]){ 0, 1, 1, 0 }), 4);
	done(&x);
}

static void a_frame_that_setjmp_may_return_to_is_not_left(void **state)
{
	struct fixture x;

	(void)state;
	look_at(&x, "define void @f() {\n"
		    "entry:\n  %s = call i32 @setjmp(ptr null) returns_twice\n"
		    "  br label %l\nl:\n  br label %l\n}\n"
		    "declare i32 @setjmp(ptr)\n");
	assert_int_equal(x.osr.loops.n_loops, 1);
	assert_int_equal(x.osr.n_possible, 0);
	done(&x);
}

static void a_loop_before_va_start_is_not_left_but_one_after_is(void **state)
{
	struct fixture x;

	(void)state;
	look_at(&x, "define void @f(i1 %c, ...) {\n"
		    "entry:\n  %v = alloca [24 x i8]\n  br label %l\n"
		    "l:\n  br i1 %c, label %l, label %m\n"
		    "m:\n  call void @llvm.va_start.p0(ptr %v)\n  br label %n\n"
		    "n:\n  call void @g(ptr %v)\n  br label %n\n}\n"
		    "declare void @llvm.va_start.p0(ptr)\n"
		    "declare void @g(ptr)\n");
	assert_int_equal(x.osr.loops.n_loops, 2);
	assert_false(x.osr.entry[0].possible);
	assert_true(x.osr.entry[1].possible);
	done(&x);
}

static void live_blockaddresses_are_told_from_other_values(void **state)
{
	struct fixture x;
	const struct cofl_loop *loop;
	const struct cofl_osr_entry *e;

	(void)state;
	look_at(&x, "@t = internal constant [2 x ptr] "
		    "[ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]\n"
		    "define void @f(i64 %n) {\n"
		    "entry:\n  %p = getelementptr ptr, ptr @t, i64 %n\n"
		    "  %l = load ptr, ptr %p\n  br label %go\n"
		    "go:\n  %to = phi ptr [%l, %entry], [%m, %a], [%l, %b]\n"
		    "  indirectbr ptr %to, [label %a, label %b]\n"
		    "a:\n  %q = getelementptr ptr, ptr @t, i64 0\n"
		    "  %m = load ptr, ptr %q\n  br label %go\n"
		    "b:\n  br label %go\n}\n");
	assert_int_equal(x.osr.n_possible, 1);
	assert_int_equal(x.osr.n_targets, 2);
	loop = &x.osr.loops.loop[0];
	e = &x.osr.entry[0];
	assert_int_equal(loop->n_live, 2);
	assert_true(is_alive(loop, "l") && is_alive(loop, "to"));
	assert_true(e->is_blockaddress[0] && e->is_blockaddress[1]);
	assert_int_equal(e->offset[0], 8);
	done(&x);
}

/* A leaf loop alone, one in an outer loop, and one there that calls. */
static const char two_nests[] =
	"define void @f(i1 %c) {\n"
	"entry:\n  br label %alone\n"
	"alone:\n  br i1 %c, label %alone, label %outer\n"
	"outer:\n  br label %leaf\n"
	"leaf:\n  br i1 %c, label %leaf, label %calls\n"
	"calls:\n  call void @g()\n  br i1 %c, label %calls, label %latch\n"
	"latch:\n  br i1 %c, label %outer, label %out\n"
	"out:\n  ret void\n}\n"
	"declare void @g()\n";
enum { ALONE, OUTER, LEAF, CALLS };

enum { LIVE = 256 };	/* tuning.def, osr_live */

static void what_is_to_be_fast_has_no_point_in_a_small_loop(void **state)
{
	const bool keep[4] = { [LEAF] = true };
	struct fixture x;

	(void)state;
	look_at(&x, two_nests);
	cofl_osr_sparse(&x.osr, keep, LIVE);
	assert_false(x.osr.entry[ALONE].possible);
	assert_true(x.osr.entry[OUTER].possible);
	assert_true(x.osr.entry[LEAF].possible);
	assert_true(x.osr.entry[CALLS].possible);
	done(&x);
}

/* A loop in a loop, with so many values alive around both. */
static void look_at_many_alive(struct fixture *x, unsigned n)
{
	static char text[64 * 1024];
	char *to = text, *end = text + sizeof(text);

	to += snprintf(to, (size_t)(end - to),
		       "define i64 @f(i1 %%c, i64 %%a) {\nentry:\n");
	for (unsigned i = 0; i < n; i++)
		to += snprintf(to, (size_t)(end - to),
			       "  %%v%u = mul i64 %%a, %u\n", i, i + 3);
	to += snprintf(to, (size_t)(end - to),
		       "  br label %%outer\nouter:\n  br label %%inner\n"
		       "inner:\n  call void @g()\n"
		       "  br i1 %%c, label %%inner, label %%latch\n"
		       "latch:\n  br i1 %%c, label %%outer, label %%out\n"
		       "out:\n  %%s0 = add i64 %%a, 1\n");
	for (unsigned i = 0; i < n; i++)
		to += snprintf(to, (size_t)(end - to),
			       "  %%s%u = add i64 %%s%u, %%v%u\n", i + 1, i, i);
	snprintf(to, (size_t)(end - to),
		 "  ret i64 %%s%u\n}\ndeclare void @g()\n", n);
	look_at(x, text);
}

static void an_inner_loop_has_no_point_if_too_much_is_alive(void **state)
{
	struct fixture x;

	(void)state;
	look_at_many_alive(&x, 300);
	assert_int_equal(x.osr.n_possible, 2);
	cofl_osr_sparse(&x.osr, NULL, LIVE);
	assert_true(x.osr.entry[0].possible);
	assert_false(x.osr.entry[1].possible);
	done(&x);
}

static void an_inner_loop_has_a_point_if_none_is_around_it(void **state)
{
	struct fixture x;

	(void)state;
	look_at_many_alive(&x, 300);
	x.osr.entry[0].possible = false;
	cofl_osr_sparse(&x.osr, NULL, LIVE);
	assert_true(x.osr.entry[1].possible);
	done(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outer_loops_come_before_inner_ones),
		cmocka_unit_test(alive_is_what_is_used_later),
		cmocka_unit_test(values_lie_apart_and_aligned),
		cmocka_unit_test(
			an_irreducible_cycle_has_a_header_without_a_body),
		cmocka_unit_test(blocks_are_as_deep_as_the_loops_around_them),
		cmocka_unit_test(a_frame_that_setjmp_may_return_to_is_not_left),
		cmocka_unit_test(
			a_loop_before_va_start_is_not_left_but_one_after_is),
		cmocka_unit_test(
			live_blockaddresses_are_told_from_other_values),
		cmocka_unit_test(
			what_is_to_be_fast_has_no_point_in_a_small_loop),
		cmocka_unit_test(
			an_inner_loop_has_no_point_if_too_much_is_alive),
		cmocka_unit_test(
			an_inner_loop_has_a_point_if_none_is_around_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
