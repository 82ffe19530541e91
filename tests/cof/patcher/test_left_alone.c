/*
 * test_left_alone.c - stubs that the program writes to
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

#include "base/role.h"
#include "instance.h"
#include "patcher/patcher.h"
#include "tests/support/piece.h"

static struct cof        *cof;
static struct cof_method *caller, *callee;
static unsigned           rebuilt;

static void first_call(void *ctx, void *data)
{
	(void)ctx;
	(void)data;
	piece_add_return(cof, callee, 100);
}

/* The program's jump: movabs $to, %rax; jmp *%rax */
static void overwrite(struct cof_method *method, const void *to)
{
	unsigned char jump[12] = { 0x48, 0xb8, [10] = 0xff, 0xe0 };
	unsigned char *page = (unsigned char *)
		((uintptr_t)cof_method_stub(method) & ~(uintptr_t)4095);

	memcpy(jump + 2, &to, sizeof(to));
	assert_int_equal(mprotect(page, 4096,
				  PROT_READ | PROT_WRITE | PROT_EXEC), 0);
	memcpy(cof_method_stub(method), jump, sizeof(jump));
	assert_int_equal(mprotect(page, 4096, PROT_READ | PROT_EXEC), 0);
}

static int of_the_program(void) { return 7; }

static void rebuild(void *ctx, void *method)
{
	assert_ptr_equal(ctx, &cof);
	assert_ptr_equal(method, &caller);
	rebuilt++;
	piece_add_return(cof, caller, 55);
}

static int leave(struct cof_method *method)
{
	return cof_leave_alone(cof, cof_method_stub(method), 1, rebuild, &cof);
}

static int setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .first_call = first_call };

	(void)state;
	rebuilt = 0;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16", NULL, &cof) != 0)
		return -1;
	caller = piece_method(cof, &caller);
	callee = piece_method(cof, &callee);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_free(cof);
	return 0;
}

static void call_callee(void)
{
	static struct cof_call_site calls[1];
	struct piece p = { .n = 0 };
	struct cof_version_desc d;

	piece_enter(&p);
	piece_call(&p, callee);
	piece_leave(&p);
	d = piece_place(cof, &p, calls);
	assert_int_equal(cof_version_add(caller, &d), 0);
}

static int run(const struct cof_method *method)
{
	return piece_run(cof_method_stub(method));
}

static void direct_calls_meet_what_the_program_writes(void **state)
{
	(void)state;
	piece_add_return(cof, callee, 1);
	call_callee();
	assert_int_equal(run(caller), 1);
	assert_int_equal(leave(callee), 1);
	assert_int_equal(run(caller), 1);
	overwrite(callee, (const void *)(uintptr_t)of_the_program);
	assert_int_equal(run(caller), 7);
	assert_int_equal(run(callee), 7);
}

static void newer_versions_do_not_overwrite_it(void **state)
{
	unsigned char before[16];

	(void)state;
	call_callee();
	piece_add_return(cof, callee, 1);
	assert_int_equal(leave(callee), 1);
	piece_add_return(cof, callee, 2);
	assert_int_equal(run(caller), 2);
	assert_int_equal(run(callee), 2);
	overwrite(callee, (const void *)(uintptr_t)of_the_program);
	memcpy(before, cof_method_stub(callee), sizeof(before));
	piece_add_return(cof, callee, 3);
	assert_memory_equal(before, cof_method_stub(callee), sizeof(before));
	assert_int_equal(run(caller), 7);
}

static void one_without_a_version_gets_its_first_behind_the_stub(void **state)
{
	(void)state;
	call_callee();
	assert_int_equal(leave(callee), 1);
	assert_int_equal(run(caller), 100);
	assert_int_equal(run(callee), 100);
	overwrite(callee, (const void *)(uintptr_t)of_the_program);
	assert_int_equal(run(caller), 7);
}

/* As a hooking library calls the function that it overwrote. */
static void the_first_instructions_run_elsewhere(void **state)
{
	static const unsigned char movabs[] = { 0x49, 0xbb },
				   jump[] = { 0x41, 0xff, 0xe3 };
	unsigned char *room = mmap(NULL, 4096,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const unsigned char *stub = cof_method_stub(callee);

	(void)state;
	assert_ptr_not_equal(room, MAP_FAILED);
	piece_add_return(cof, callee, 1);
	assert_int_equal(leave(callee), 1);
	assert_memory_equal(stub, movabs, sizeof(movabs));
	assert_memory_equal(stub + 10, jump, sizeof(jump));
	memcpy(room, stub, 13);
	overwrite(callee, (const void *)(uintptr_t)of_the_program);
	assert_int_equal(piece_run(room), 1);
	piece_add_return(cof, callee, 2);
	assert_int_equal(piece_run(room), 2);
	munmap(room, 4096);
}

static void a_second_time_and_elsewhere_it_does_nothing(void **state)
{
	(void)state;
	assert_int_equal(leave(callee), 1);
	assert_int_equal(leave(callee), 0);
	assert_int_equal(cof_leave_alone(cof, &cof, 4096, rebuild, &cof), 0);
	assert_true(cof_method_is_left_alone(callee));
	assert_false(cof_method_is_left_alone(caller));
	assert_int_equal(cof_count_get(&cof->flow->patcher.left_alone), 1);
}

static struct cof_version_desc inlining(int value)
{
	struct piece p = { .n = 0 };
	struct cof_version_desc d;

	piece_return(&p, value);
	d = piece_place(cof, &p, NULL);
	d.inlined = &callee;
	d.n_inlined = 1;
	return d;
}

static void what_has_it_inlined_is_built_anew(void **state)
{
	struct cof_version_desc d = inlining(5);

	(void)state;
	piece_add_return(cof, callee, 1);
	assert_int_equal(cof_version_add(caller, &d), 0);
	assert_int_equal(leave(callee), 1);
	assert_int_equal(rebuilt, 1);
	assert_int_equal(run(caller), 55);
}

static void a_version_that_has_it_inlined_is_refused(void **state)
{
	struct cof_version_desc d = inlining(5);
	struct cof_version *v;
	int err;

	(void)state;
	piece_add_return(cof, callee, 1);
	piece_add_return(cof, caller, 9);
	v = cof_patcher_prepare(caller, &d, &err);
	assert_non_null(v);
	assert_int_equal(leave(callee), 1);
	assert_int_equal(rebuilt, 0);
	assert_false(cof_patcher_install(v, cof_method_current(caller), true));
	assert_int_equal(cof_count_get(&cof->flow->patcher.drop_LEFT_ALONE), 1);
	assert_int_equal(run(caller), 9);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(direct_calls_meet_what_the_program_writes),
		T(newer_versions_do_not_overwrite_it),
		T(one_without_a_version_gets_its_first_behind_the_stub),
		T(the_first_instructions_run_elsewhere),
		T(a_second_time_and_elsewhere_it_does_nothing),
		T(what_has_it_inlined_is_built_anew),
		T(a_version_that_has_it_inlined_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
