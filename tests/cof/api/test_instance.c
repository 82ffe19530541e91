/*
 * test_instance.c - an instance starts, stops and is freed, or says why not
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/log.h"
#include "memory/mem.h"
#include "stats/stats_file.h"
#include "tests/support/child.h"
#include "tests/support/started.h"

static void mode_off_makes_no_thread_and_no_handler(void **state)
{
	void *before[SIGNALS];
	int n = libcof_threads();
	struct toy_method m = { .name = "m", .turns = 64, .step = 3 };
	struct toy_answer a;

	(void)state;
	handlers(before);
	assert_int_equal(start("mode=off,stats=none"), 0);
	assert_int_equal(libcof_threads(), n);
	assert_int_equal(changed(before), 0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	assert_int_equal(changed(before), 0);

	/* Code, stubs and versions work the same. */
	assert_int_equal(toy_add(&toy, &m), 0);
	a = toy_call(&m, 5);
	assert_int_equal(a.value, 5 + 64 * 3);
	assert_int_equal(a.version, 1 << 2 | COF_PLAN_NONE);

	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	end();
	assert_int_equal(toy.discarded, 1);
}

static void mode_co_makes_a_thread_per_stage_and_per_worker(void **state)
{
	void *before[SIGNALS];
	int n = libcof_threads();

	(void)state;
	handlers(before);
	assert_int_equal(start("mode=co,workers=3,stats=none"), 0);
	expect_libcof_threads(n + 3 + 3 + 1);	/* stages, workers, cof-files */
	assert_int_equal(changed(before), 1);
	cof_stop(toy.cof);
	expect_libcof_threads(n);
	assert_int_equal(changed(before), 0);
	end();
}

static void code_goes_on_running_between_stop_and_free(void **state)
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 1 };

	(void)state;
	assert_int_equal(start("mode=co,stats=none"), 0);
	assert_int_equal(toy_add(&toy, &m), 0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	assert_int_equal(toy_call(&m, 0).value, 64);
	cof_stop(toy.cof);
	assert_int_equal(toy_call(&m, 1).value, 65);
	cof_thread_detach(toy.cof);
	end();
	assert_int_equal(toy.discarded, toy.versions);
}

static void stopping_again_and_freeing_nothing_are_fine(void **state)
{
	(void)state;
	cof_stop(NULL);
	cof_thread_detach(NULL);
	cof_free(NULL);
	assert_int_equal(start("mode=co,stats=none"), 0);
	cof_stop(toy.cof);
	cof_stop(toy.cof);
	assert_int_equal(toy.cof->stats_file->header->stopped, 1);
	end();
}

static void after_an_exit_nothing_is_freed_under_threads(void **state)
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 1 };
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		if (start("mode=co,stats=none") != 0 ||
		    toy_add(&toy, &m) != 0 ||
		    cof_thread_attach(toy.cof, NULL, NULL) != 0 ||
		    toy_call(&m, 1).value != 65)
			_exit(1);
		cof_exit(toy.cof);
		cof_thread_detach(toy.cof);
		cof_free(toy.cof);
		cof_stop(toy.cof);
		_exit(libcof_threads() > 0 && toy.discarded == 0 &&
		      toy_call(&m, 2).value == 66 ? 0 : 2);
	}
	assert_int_equal(exit_of(pid), 0);
}

static void free_without_stop_stops(void **state)
{
	int n = libcof_threads();

	(void)state;
	assert_int_equal(start("mode=co,stats=none"), 0);
	end();
	expect_libcof_threads(n);
}

static void an_instance_can_follow_another_many_times(void **state)
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 2 };

	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_int_equal(start(i % 2 ? "mode=off,stats=none" :
					       "mode=co,stats=none"), 0);
		assert_int_equal(toy_add(&toy, &m), 0);
		assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
		assert_int_equal(toy_call(&m, i).value, i + 128);
		cof_thread_detach(toy.cof);
		end();
	}
	assert_int_equal(toy.discarded, 20);
}

static void two_instances_live_side_by_side(void **state)
{
	struct toy_method m = { .name = "one", .turns = 64, .step = 1 };
	struct toy_method m2 = { .name = "two", .turns = 64, .step = 2 };
	struct cof_host of_other = toy_host(&other);

	(void)state;
	assert_int_equal(start("mode=co,stats=none"), 0);
	assert_int_equal(cof_start(&of_other, "mode=co,stats=none", why,
				   &other.cof), 0);
	assert_int_equal(toy_add(&toy, &m), 0);
	assert_int_equal(toy_add(&other, &m2), 0);
	assert_int_equal(toy_call(&m, 0).value, 64);
	assert_int_equal(toy_call(&m2, 0).value, 128);
	end();
	assert_int_equal(toy_call(&m2, 1).value, 129);
	cof_free(other.cof);
	other.cof = NULL;
}

static void what_the_program_is_shows_in_the_stats_file(void **state)
{
	(void)state;
	assert_int_equal(start("mode=off,stats=none"), 0);
	cof_program(toy.cof, "/usr/bin/guest");
	assert_string_equal(toy.cof->stats_file->header->program,
			    "/usr/bin/guest");
	assert_string_equal(toy.cof->stats_file->header->host, "toy");
	end();
}

static char logged[4096];

static void keep_log(void *ctx, const char *line)
{
	(void)ctx;
	strncat(logged, line, sizeof(logged) - strlen(logged) - 1);
}

static void only_verbose_logs_and_long_lines_are_cut(void **state)
{
	char longer[2000];

	(void)state;
	host.log = keep_log;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	for (int verbose = 0; verbose < 2; verbose++) {
		logged[0] = '\0';
		assert_int_equal(start(verbose ? "mode=off,stats=none,verbose" :
						 "mode=off,stats=none"), 0);
		cof_log(toy.cof, "%s", longer);
		assert_int_equal(strlen(logged), verbose ? 511 : 0);
		end();
	}
}

static void libcofs_own_memory_is_all_given_back(void **state)
{
	static struct cof_flow_memory memory;
	struct toy_method m = { .name = "m", .turns = 64, .step = 2 };
	uint64_t before;

	(void)state;
	cof_mem_account(&memory);
	before = memory.own_blocks;
	assert_int_equal(start("mode=co,stats=none"), 0);
	assert_true(memory.own_blocks > before);
	assert_int_equal(toy_add(&toy, &m), 0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	assert_int_equal(toy_call(&m, 1).value, 129);
	assert_int_equal(toy.cof->flow->memory.methods, 1);
	assert_int_equal(toy.cof->flow->memory.versions, 1);
	cof_thread_detach(toy.cof);
	end();
	assert_int_equal(memory.own_blocks, before);
	cof_mem_unaccount(&memory);
}

static void a_forked_child_calls_and_ends_on_its_own(void **state)
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 2 };
	struct toy_method late = { .name = "late", .turns = 64, .step = 3 };
	pid_t pid;

	(void)state;
	assert_int_equal(start("mode=co,stats=none"), 0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	assert_int_equal(toy_add(&toy, &m), 0);
	assert_int_equal(toy_add(&toy, &late), 0);
	assert_int_equal(toy_call(&m, 1).value, 129);
	pid = fork();
	if (pid == 0) {
		int ok = toy_call(&m, 1).value == 129 &&
			 toy_call(&late, 1).value == 1 + 192;

		cof_stop(toy.cof);
		end();
		_exit(ok ? 0 : 1);
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(toy_call(&late, 1).value, 193);
	cof_thread_detach(toy.cof);
	end();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(mode_off_makes_no_thread_and_no_handler),
		T(mode_co_makes_a_thread_per_stage_and_per_worker),
		T(code_goes_on_running_between_stop_and_free),
		T(stopping_again_and_freeing_nothing_are_fine),
		T(after_an_exit_nothing_is_freed_under_threads),
		T(free_without_stop_stops),
		T(an_instance_can_follow_another_many_times),
		T(two_instances_live_side_by_side),
		T(what_the_program_is_shows_in_the_stats_file),
		T(only_verbose_logs_and_long_lines_are_cut),
		T(libcofs_own_memory_is_all_given_back),
		T(a_forked_child_calls_and_ends_on_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
