/*
 * test_io_thread.c - the I/O thread saves what it was given, and nobody notices
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/syscall.h>
#include <unistd.h>

#include "history/store/io_thread.h"
#include "../history_store.h"
#include "process/own_threads.h"
#include "tests/support/libcof_threads.h"

/*
 * A bare system call: ThreadSanitizer takes a descriptor for the process's. It
 * would see a race between this one and the I/O thread's of the same number.
 */
static int dup_0(void)
{
	return (int)syscall(SYS_dup, 0);
}

static void undo(int fd)
{
	syscall(SYS_close, fd);
}

static void the_programs_file_descriptors_are_its_own(void **state)
{
	char why[COF_HISTORY_WHY];
	struct cof_history_io_thread *c =
		cof_history_io_thread_new(history_path, &history_limits);
	enum cof_history_result saved = COF_HISTORY_BUSY;
	int next = dup_0();

	(void)state;
	assert_non_null(c);
	undo(next);
	for (int i = 0; i < 30; i++) {
		struct cof_history_record r = history_record(1, i, 50);

		cof_history_io_thread_save(c, &r, 0, why);
		for (int k = 0; k < 2000; k++) {
			int fd = dup_0();

			assert_int_equal(fd, next);
			undo(fd);
		}
	}
	/* A slow disk may take longer than the I/O thread gives the store. */
	for (int i = 0; i < 20 && saved != COF_HISTORY_OK; i++) {
		struct cof_history_record r = history_record(1, 99, 50);

		saved = cof_history_io_thread_save(c, &r, 60 * (uint64_t)SECOND,
						 why);
	}
	assert_int_equal(saved, COF_HISTORY_OK);
	cof_history_io_thread_leave(c, 0);
	assert_int_equal(load(1), COF_HISTORY_OK);
}

static void an_io_thread_saves_what_it_has_before_it_goes(void **state)
{
	char why[COF_HISTORY_WHY];
	struct patience p;
	int before;

	(void)state;
	expect_libcof_threads(0);	/* that of the test before may linger */
	before = threads_in_all();
	for (int i = 0; i < 10; i++) {
		struct cof_history_record r = history_record(1, i, 5);
		struct cof_history_io_thread *c =
		cof_history_io_thread_new(history_path, &history_limits);

		assert_non_null(c);
		cof_history_io_thread_save(c, &r, 0, why);
		cof_history_io_thread_leave(c, 0);
	}
	/* While there are such threads, nobody else may use the file. */
	p = patience_begin();
	while (threads_in_all() > before && !patience_is_over(&p))
		nap();
	assert_int_equal(threads_in_all(), before);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 10);
}

/* Once the program's threads have ended, libcof's are to be known as such. */
static void an_io_thread_counts_as_a_thread_of_libcofs(void **state)
{
	struct cof_history_io_thread *c;

	(void)state;
	expect_libcof_threads(0);
	assert_int_equal((uint32_t)cof_own_threads(), 0);
	c = cof_history_io_thread_new(history_path, &history_limits);
	assert_non_null(c);
	while ((uint32_t)cof_own_threads() != 1)
		usleep(1000);
	cof_history_io_thread_leave(c, 0);
	while ((uint32_t)cof_own_threads() != 0)
		usleep(1000);
}

/* Behind a filter of the program's it would be killed at its last call. */
static void an_io_thread_that_is_waited_for_has_ended(void **state)
{
	char why[COF_HISTORY_WHY];

	(void)state;
	expect_libcof_threads(0);
	for (int i = 0; i < 50; i++) {
		struct cof_history_record r = history_record(1, i, 5);
		struct cof_history_io_thread *c =
		cof_history_io_thread_new(history_path, &history_limits);

		assert_non_null(c);
		cof_history_io_thread_save(c, &r, 0, why);
		cof_history_io_thread_leave(c, 600 * (uint64_t)SECOND);
		assert_int_equal((uint32_t)cof_own_threads(), 0);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_programs_file_descriptors_are_its_own),
		T(an_io_thread_saves_what_it_has_before_it_goes),
		T(an_io_thread_counts_as_a_thread_of_libcofs),
		T(an_io_thread_that_is_waited_for_has_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
