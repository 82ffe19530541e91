/*
 * test_unwind.c - a caller is found by the unwind tables of the code
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "cof.h"
#include "eh_code.h"
#include "tests/cof/codemem/far.h"

/*
 * The stack of a thread at `pc`: how many words are below the return address,
 * and whether rbp is one of them.
 */
static const struct {
	uint32_t pc, below;
	bool     saved;
} stand[] = {
	{ 0, 0, false }, { 3, 0, false }, { 8, 0, false },
	{ OUTER, 0, false }, { 17, 1, true }, { 19, 1, true }, { 23, 5, true },
	{ 28, 5, true }, { 32, 1, true }, { 33, 0, false },
};

static void the_caller_is_found_from_every_instruction(void **state)
{
	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	for (size_t i = 0; i < sizeof(stand) / sizeof(*stand); i++) {
		uint64_t s[16] = { 0 };
		struct cof_frame f = { .pc = ADDRESS(range.exec) + stand[i].pc,
				       .sp = ADDRESS(s), .fp = 0x77 };

		s[stand[i].below] = 0x1234;
		if (stand[i].saved)
			s[stand[i].below - 1] = 0x55;
		assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 16)),
				 1);
		assert_int_equal(f.pc, 0x1234);
		assert_int_equal(f.sp, ADDRESS(s + stand[i].below + 1));
		assert_int_equal(f.fp, stand[i].saved ? 0x55 : 0x77);
	}
}

static void no_load_goes_beyond_the_stack(void **state)
{
	uint64_t s[16] = { 0 };
	struct cof_frame f = { .pc = ADDRESS(range.exec) + AFTER_CALL,
			       .sp = ADDRESS(s) };

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	s[5] = 0x1234;
	/* The stack ends right below the return address. */
	assert_int_equal(cof_unwind_step(&f, true, ADDRESS(s + 5)), -1);
	f.sp = 16;	/* no memory is here */
	assert_int_equal(cof_unwind_step(&f, true, 32), -1);
	f.sp = ~0ull - 15;	/* the address would wrap */
	assert_int_equal(cof_unwind_step(&f, true, ~0ull), -1);
}

static void the_eh_frame_may_go_once_it_was_added(void **state)
{
	uint64_t s[4] = { 0x1234 };
	struct cof_frame f = { .pc = ADDRESS(range.exec) + 3,
			       .sp = ADDRESS(s) };

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	memset(frames, 0xff, frames_bytes);
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 1);
	assert_int_equal(f.pc, 0x1234);
}

static void code_without_tables_is_left_to_frame_pointers(void **state)
{
	uint64_t s[4] = { 0 };
	struct cof_frame f = { .pc = ADDRESS(range.exec), .sp = ADDRESS(s) };

	(void)state;
	skip_without_libunwind();
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 0);
	assert_int_equal(add_code(), 0);
	s[0] = 0x1234;
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 1);
	cof_unwind_remove(range.exec);
	f = (struct cof_frame){ .pc = ADDRESS(range.exec), .sp = ADDRESS(s) };
	assert_int_equal(cof_unwind_step(&f, false, ADDRESS(s + 4)), 0);
}

static void tables_are_refused_that_cannot_be_used(void **state)
{
	const uint8_t *exec = (uint8_t *)range.exec;
	void *far;

	(void)state;
	skip_without_libunwind();
	far = far_from(exec);
	assert_int_equal(add_code(), 0);
	assert_int_equal(add_code(), -COF_E_INVAL);		/* overlaps */
	assert_int_equal(cof_unwind_add(exec + 4, exec + 8, frames,
					frames_bytes), -COF_E_INVAL);
	assert_int_equal(cof_unwind_add(exec + 99, exec + 99, frames,
					frames_bytes), -COF_E_INVAL);
	assert_int_equal(cof_unwind_add(exec + 100, exec + 120, frames, 10),
			 -COF_E_INVAL);				/* malformed */
	memcpy(far, frames, frames_bytes);
	assert_int_equal(cof_unwind_add(exec + 100, exec + 120, far,
					frames_bytes), -COF_E_INVAL);
	far_free(far);
}

static _Atomic bool done;
static _Atomic uint64_t steps;

static void *step_on_and_on(void *arg)
{
	while (!atomic_load(&done)) {
		uint64_t s[4] = { 0x1234 };
		struct cof_frame f = { .pc = ADDRESS(range.exec) + 3,
				       .sp = ADDRESS(s) };

		if (cof_unwind_step(&f, false, ADDRESS(s + 4)) == 1 &&
		    f.pc == 0x1234)
			atomic_fetch_add(&steps, 1);
	}
	return arg;
}

static void steps_go_on_while_tables_come_and_go(void **state)
{
	pthread_t thread;

	(void)state;
	skip_without_libunwind();
	assert_int_equal(add_code(), 0);
	atomic_store(&done, false);
	assert_int_equal(pthread_create(&thread, NULL, step_on_and_on, NULL),
			 0);
	/* The same tables, added for other ranges. */
	for (int i = 0; i < 3000 || atomic_load(&steps) < 1000; i++) {
		const char *at = range.exec + 4096 + i % 7 * 64;

		assert_int_equal(cof_unwind_add(at, at + 64, frames,
						frames_bytes), 0);
		cof_unwind_remove(at);
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
}

#define T(name) cmocka_unit_test_setup_teardown(name, make_code, drop_code)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_caller_is_found_from_every_instruction),
		T(no_load_goes_beyond_the_stack),
		T(the_eh_frame_may_go_once_it_was_added),
		T(code_without_tables_is_left_to_frame_pointers),
		T(tables_are_refused_that_cannot_be_used),
		T(steps_go_on_while_tables_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
