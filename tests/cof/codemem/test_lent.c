/*
 * test_lent.c - parent and child share code memory until one of them writes
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/cof/api/split.h"
#include "tests/support/child.h"
#include "tests/support/valgrind.h"

/* Code that parent and child will share. */
static struct cof_code begin_with_ret(unsigned char v)
{
	start_as("mode=off,stats=none", true);
	return new_ret(v);
}

static bool takes_a_block(void)
{
	struct cof_code more;

	return cof_code_alloc(cof, 64, COF_CODE_HOT, &more) == 0;
}

/* Either the child or its parent writes first. */
static void lent_code_parts(bool child_first)
{
	struct cof_code code;
	struct turns turns;
	pid_t pid;

	code = begin_with_ret(1);
	turns = open_turns();
	pid = fork_in_time();
	if (pid == 0) {
		if (!child_first)
			wait_for(turns.to_child);
		if (run_code(&code) != 1)
			_exit(1);
		if (!takes_a_block())
			_exit(2);
		write_ret(&code, 3);
		say_done(turns.to_parent);
		if (child_first)
			wait_for(turns.to_child);
		end();
		_exit(run_code(&code) == 3 ? 0 : 4);
	}
	if (child_first)
		wait_for(turns.to_parent);
	assert_int_equal(run_code(&code), 1);
	assert_true(takes_a_block());
	write_ret(&code, 2);
	say_done(turns.to_child);
	if (!child_first)
		wait_for(turns.to_parent);
	assert_int_equal(run_code(&code), 2);
	assert_int_equal(exit_of(pid), 0);
	close_turns(&turns);
	end();
}

static void lent_code_parts_when_the_child_writes(void **state)
{
	(void)state;
	lent_code_parts(true);
}

static void lent_code_parts_when_the_parent_writes(void **state)
{
	(void)state;
	lent_code_parts(false);
}

static void a_lent_stub_is_led_by_each_on_its_own(void **state)
{
	struct cof_code one, two;
	void *stub;
	pid_t pid;

	(void)state;
	one = begin_with_ret(1);
	two = new_ret(2);
	stub = cof_stub_new(cof, one.exec);
	assert_non_null(stub);
	pid = fork_in_time();
	if (pid == 0) {
		cof_stub_retarget(cof, stub, two.exec);
		_exit(((int (*)(void))(uintptr_t)stub)());
	}
	assert_int_equal(exit_of(pid), 2);
	assert_int_equal(((int (*)(void))(uintptr_t)stub)(), 1);
	end();
}

/* The loop writes at any time, so nothing is lent. */
static void with_the_loop_on_code_is_copied_at_once(void **state)
{
	struct cof_code code;
	struct turns turns;
	pid_t pid;

	(void)state;
	start_as("mode=co,stats=none,source=none", true);
	code = new_ret(1);
	turns = open_turns();
	pid = fork_in_time();
	if (pid == 0) {
		wait_for(turns.to_child);
		_exit(run_code(&code));
	}
	write_ret(&code, 2);
	say_done(turns.to_child);
	assert_int_equal(exit_of(pid), 1);
	close_turns(&turns);
	end();
}

/* The middle process is both a child and a parent. */
static void a_grandchild_and_its_parent_part_too(void **state)
{
	struct cof_code code;
	pid_t pid;

	(void)state;
	code = begin_with_ret(1);
	pid = fork_in_time();
	if (pid == 0) {
		pid = fork();
		if (pid == 0) {
			if (!takes_a_block())
				_exit(1);
			write_ret(&code, 3);
			_exit(run_code(&code) == 3 ? 0 : 2);
		}
		if (exit_of(pid) != 0 || run_code(&code) != 1)
			_exit(3);
		if (!takes_a_block())
			_exit(4);
		write_ret(&code, 2);
		_exit(run_code(&code) == 2 ? 0 : 5);
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(run_code(&code), 1);
	end();
}

/* Sanitizers and valgrind need more of it. */
static void skip_where_memory_is_mapped(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	skip();
#endif
	skip_under_valgrind();
}

static void a_child_that_cannot_part_cannot_write(void **state)
{
	struct rlimit none = { 0 };
	struct cof_code code;
	pid_t pid;

	(void)state;
	skip_where_memory_is_mapped();
	code = begin_with_ret(1);
	pid = fork_in_time();
	if (pid == 0) {
		struct cof_code more;

		if (setrlimit(RLIMIT_NOFILE, &none) != 0 ||
		    setrlimit(RLIMIT_AS, &none) != 0)
			_exit(1);
		if (cof_code_alloc(cof, 64, COF_CODE_HOT, &more) !=
		    -COF_E_PERM)
			_exit(2);
		_exit(run_code(&code) == 1 ? 0 : 3);
	}
	assert_int_equal(exit_of(pid), 0);
	end();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(lent_code_parts_when_the_child_writes),
		T(lent_code_parts_when_the_parent_writes),
		T(a_lent_stub_is_led_by_each_on_its_own),
		T(with_the_loop_on_code_is_copied_at_once),
		T(a_grandchild_and_its_parent_part_too),
		T(a_child_that_cannot_part_cannot_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
