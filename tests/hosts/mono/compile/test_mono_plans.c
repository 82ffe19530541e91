/*
 * test_mono_plans.c - which callees the Mono host inlines, what it promises of
 * plans, and what it keeps for the next run; Mono and libcof are played here
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/mman.h>

#include "compile/call_profile.h"
#include "compile/entries.h"
#include "compile/estimate.h"
#include "vm/internals.h"

#include "played_mono.h"

#define IL_BYTES    100u
#define ENTERED     1000000u

enum { CALLER, HOT, COLD, DEEP, OTHER };

/* -- The program ----------------------------------------------------------- */

static void calls(int from, int to)
{
	struct cofm_method *m = &method[from];

	called[from][m->n_calls++] = (struct cofm_call){
		mono_of(to), IL_BYTES, 1 };
	m->has_calls = true;
}

/* CALLER calls HOT, COLD and itself; HOT calls DEEP. */
static int setup(void **state)
{
	(void)state;
	memset(method, 0, sizeof(method));
	memset(cof_of, 0, sizeof(cof_of));
	for (int i = 0; i < METHODS; i++) {
		method[i].host = &host;
		method[i].domain = &only;
		method[i].mono = mono_of(i);
		method[i].method = &cof_of[i];
		method[i].call = called[i];
		method[i].size = 100;
		known[i] = compiled[i] = true;
	}
	calls(CALLER, HOT);
	calls(CALLER, COLD);
	calls(CALLER, CALLER);
	calls(HOT, DEEP);
	cof_of[CALLER].samples = 1000;
	cof_of[HOT].samples = 500;
	cof_of[COLD].samples = 3;
	cof_of[DEEP].samples = 100;
	near_page = mmap(NULL, (size_t)2 * PAGE,
			 PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return near_page == MAP_FAILED ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	for (int i = 0; i < METHODS; i++)
		free(method[i].profile);
	return munmap(near_page, (size_t)2 * PAGE);
}

static double promised(enum cof_plan now, enum cof_plan plan)
{
	struct cof_estimate e = { 0 };

	if (cofm_estimate(&host, &method[CALLER], now, plan, &e) != 0)
		return 0;
	assert_true(e.cost_ns > 0);
	return e.speedup;
}

/* As if counted for a second. */
static void enter(int i, uint64_t per_second)
{
	method[i].entries.count = (uint64_t *)(void *)near_page;
	method[i].entries.per_second = per_second;
}

/* -- Callees --------------------------------------------------------------- */

static void hot_callees_go_in_and_what_they_call(void **state)
{
	struct cofm_inlining in;

	(void)state;
	cofm_inlining_choose(&method[CALLER], &in);
	assert_int_equal(in.n, 2);
	assert_true(cofm_inlining_has(&in, mono_of(HOT)));
	assert_true(cofm_inlining_has(&in, mono_of(DEEP)));
	assert_int_equal(in.samples, 600);
	assert_int_equal(in.own, 1000);
}

/* A loop of 5 KB is slower than one of calls. */
static void a_callee_that_would_be_copied_too_often_stays_out(void **state)
{
	struct cofm_inlining in;

	(void)state;
	called[CALLER][0].sites = 11;
	cofm_inlining_choose(&method[CALLER], &in);
	assert_false(cofm_inlining_has(&in, mono_of(HOT)));
	called[CALLER][0].sites = 10;
	cofm_inlining_choose(&method[CALLER], &in);
	assert_true(cofm_inlining_has(&in, mono_of(HOT)));
}

static void a_callee_that_is_called_all_the_time_needs_no_samples(void **state)
{
	struct cofm_inlining in;

	(void)state;
	cof_of[COLD].samples = 0;
	enter(COLD, 50000000);
	cofm_inlining_choose(&method[CALLER], &in);
	assert_true(cofm_inlining_has(&in, mono_of(COLD)));
}

static void marks_are_taken_off_again(void **state)
{
	struct cofm_inlining in;
	uint16_t *flags = (uint16_t *)(void *)(mono[HOT] + COFM_METHOD_IFLAGS);
	uint32_t marked;

	(void)state;
	cofm_inlining_choose(&method[CALLER], &in);
	marked = cofm_inlining_begin(&in);
	assert_int_equal(*flags & 0x100, 0x100);
	cofm_inlining_end(&in, marked);
	assert_int_equal(*flags, 0);
}

static void marks_of_the_programs_own_stay(void **state)
{
	struct cofm_inlining in;
	uint16_t *flags = (uint16_t *)(void *)(mono[HOT] + COFM_METHOD_IFLAGS);

	(void)state;
	*flags = 0x100;
	cofm_inlining_choose(&method[CALLER], &in);
	assert_true(cofm_inlining_has(&in, mono_of(HOT)));
	cofm_inlining_end(&in, cofm_inlining_begin(&in));
	assert_int_equal(*flags, 0x100);
	*flags = 0;
}

/* -- Promises -------------------------------------------------------------- */

static void inlining_is_promised_by_the_callees_samples(void **state)
{
	double more, few;

	(void)state;
	more = promised(COF_PLAN_NONE, COF_PLAN_SPEED);
	cof_of[HOT].samples = cof_of[DEEP].samples = 60;
	few = promised(COF_PLAN_NONE, COF_PLAN_SPEED);
	assert_true(more > few && few > 1.02);
	assert_true(promised(COF_PLAN_NONE, COF_PLAN_AVERAGE) == 0);
	method[CALLER].declined = COFM_FAILED;
	assert_true(promised(COF_PLAN_NONE, COF_PLAN_SPEED) == 0);
}

static void callees_that_may_become_hot_are_not_refused_for_long(void **state)
{
	double perhaps;

	(void)state;
	cof_of[HOT].samples = cof_of[DEEP].samples = 0;
	perhaps = promised(COF_PLAN_NONE, COF_PLAN_SPEED);
	assert_true(perhaps > 1 && perhaps < 1.02);
	method[CALLER].has_calls = false;
	assert_true(promised(COF_PLAN_NONE, COF_PLAN_SPEED) == 0);
}

static void before_its_own_first_sample_there_is_a_promise(void **state)
{
	(void)state;
	cof_of[CALLER].samples = 0;
	assert_true(promised(COF_PLAN_NONE, COF_PLAN_PROFILE) > 1);
}

static void a_built_one_is_built_again_only_for_callees_that_are_new(
	void **state)
{
	struct cofm_inlining in;

	(void)state;
	cofm_inlining_choose(&method[CALLER], &in);
	cofm_call_profile_set(&method[CALLER], &in);
	assert_true(promised(COF_PLAN_SPEED, COF_PLAN_PROFILE) == 0);
	cof_of[COLD].samples = 400;
	assert_true(promised(COF_PLAN_SPEED, COF_PLAN_PROFILE) > 1.1);
}

/* -- Profiles as bytes ----------------------------------------------------- */

static size_t save(unsigned char *buf, size_t room)
{
	struct cofm_inlining in;

	cofm_inlining_choose(&method[CALLER], &in);
	cofm_call_profile_set(&method[CALLER], &in);
	return cofm_call_profile_save(&method[CALLER], buf, room);
}

static void the_next_run_finds_callees_before_they_are_sampled(void **state)
{
	unsigned char buf[256];
	struct cofm_call_profile p;
	size_t bytes = save(buf, sizeof(buf));

	(void)state;
	assert_int_equal(cofm_call_profile_save(&method[CALLER], NULL, 0),
			 bytes);
	memset(cof_of, 0, sizeof(cof_of));
	known[HOT] = known[DEEP] = false;
	assert_int_equal(cofm_call_profile_load(&method[CALLER], buf, bytes),
			 0);
	assert_true(cofm_call_profile_get(&method[CALLER], &p));
	assert_int_equal(p.in.n, 2);
	assert_true(cofm_inlining_has(&p.in, mono_of(HOT)));
	assert_true(cofm_inlining_has(&p.in, mono_of(DEEP)));
}

static void what_this_run_did_not_compile_is_left_out(void **state)
{
	unsigned char buf[256];
	struct cofm_call_profile p;
	size_t bytes = save(buf, sizeof(buf));

	(void)state;
	known[DEEP] = compiled[DEEP] = false;
	assert_int_equal(cofm_call_profile_load(&method[CALLER], buf, bytes),
			 0);
	assert_true(cofm_call_profile_get(&method[CALLER], &p));
	assert_int_equal(p.in.n, 1);
	assert_true(cofm_inlining_has(&p.in, mono_of(HOT)));
	in_corlib = true;
	assert_int_equal(cofm_call_profile_load(&method[CALLER], buf, bytes),
			 0);
	assert_true(cofm_call_profile_get(&method[CALLER], &p));
	in_corlib = false;
	assert_int_equal(p.in.n, 2);
}

static void what_is_called_no_more_is_left_out(void **state)
{
	unsigned char buf[256];
	struct cofm_call_profile p;
	size_t bytes = save(buf, sizeof(buf));

	(void)state;
	method[HOT].n_calls = 0;
	assert_int_equal(cofm_call_profile_load(&method[CALLER], buf, bytes),
			 0);
	assert_true(cofm_call_profile_get(&method[CALLER], &p));
	assert_int_equal(p.in.n, 1);
	assert_int_not_equal(cofm_call_profile_load(&method[OTHER], buf, bytes),
			     0);
	assert_false(cofm_call_profile_get(&method[OTHER], &p));
}

static void damaged_bytes_are_refused(void **state)
{
	unsigned char buf[256], bad[256];
	size_t bytes = save(buf, sizeof(buf));

	(void)state;
	for (size_t n = 0; n < bytes; n++)
		assert_int_not_equal(
			cofm_call_profile_load(&method[CALLER], buf, n), 0);
	for (size_t at = 0; at < bytes; at++) {
		memcpy(bad, buf, bytes);
		bad[at] ^= 0x80;
		cofm_call_profile_load(&method[CALLER], bad, bytes);
	}
	assert_int_not_equal(cofm_call_profile_load(&method[CALLER], "", 0), 0);
}

/* Its callees were unloaded, but their names stay. */
static void a_profile_of_a_former_life_is_only_kept(void **state)
{
	unsigned char buf[256];
	struct cofm_call_profile p;
	size_t bytes = save(buf, sizeof(buf));

	(void)state;
	method[CALLER].lives++;
	assert_false(cofm_call_profile_get(&method[CALLER], &p));
	assert_int_equal(cofm_call_profile_save(&method[CALLER], NULL, 0),
			 bytes);
	assert_int_equal(cofm_call_profile_load(&method[CALLER], buf, bytes),
			 0);
	assert_true(cofm_call_profile_get(&method[CALLER], &p));
	cofm_call_profile_refuse(&method[CALLER]);
	method[CALLER].lives++;
	assert_true(cofm_call_profile_get(&method[CALLER], &p));
	assert_int_equal(p.in.n, 0);
}

static void nothing_known_is_no_bytes(void **state)
{
	(void)state;
	assert_int_equal(cofm_call_profile_save(&method[CALLER], NULL, 0), 0);
}

/* -- Entries --------------------------------------------------------------- */

static int doubled(int n)
{
	return 2 * n;
}

static void entries_are_counted_and_lead_on(void **state)
{
	struct cofm_method *m = &method[CALLER];
	struct cof_version_desc out = { .size = sizeof(out) };
	int (*entry)(int);

	(void)state;
	m->copy = (const uint8_t *)(uintptr_t)doubled;
	assert_int_equal(cofm_entries_counted(m), 0);
	assert_int_equal(cofm_entries_count(m, &out), 0);
	entry = (int (*)(int))(uintptr_t)out.start;
	for (int i = 0; i < (int)ENTERED; i++)
		assert_true(entry(i) == 2 * i);
	assert_int_equal(cofm_entries_counted(m), ENTERED);
	assert_true(cofm_entries_per_second(m) > 0);
	assert_int_equal(cofm_entries_count(m, &out), 0);
	assert_int_equal(cofm_entries_counted(m), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(hot_callees_go_in_and_what_they_call),
		TEST(a_callee_that_would_be_copied_too_often_stays_out),
		TEST(a_callee_that_is_called_all_the_time_needs_no_samples),
		TEST(marks_are_taken_off_again),
		TEST(marks_of_the_programs_own_stay),
		TEST(inlining_is_promised_by_the_callees_samples),
		TEST(callees_that_may_become_hot_are_not_refused_for_long),
		TEST(before_its_own_first_sample_there_is_a_promise),
		TEST(a_built_one_is_built_again_only_for_callees_that_are_new),
		TEST(the_next_run_finds_callees_before_they_are_sampled),
		TEST(what_this_run_did_not_compile_is_left_out),
		TEST(what_is_called_no_more_is_left_out),
		TEST(damaged_bytes_are_refused),
		TEST(a_profile_of_a_former_life_is_only_kept),
		TEST(nothing_known_is_no_bytes),
		TEST(entries_are_counted_and_lead_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
