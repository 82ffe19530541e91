/*
 * test_pending.c - SAM's rounds visit the threads that have something
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/support/bare_test.h"
#include "threads/pending.h"

static uint64_t counted(void)
{
	return cof_count_get(&b.cof.flow->sampler.counted);
}

static void step_once(void)
{
	cof_role = COF_ROLE_SAMPLER;
	cof_jitinfo_reader_enter();
	cof_sampler_step(&b.cof, 1);
	cof_jitinfo_reader_leave();
	cof_role = COF_ROLE_APP;
}

/* Most of thousands sleep. */
static void rounds_look_at_threads_that_have_something(void **state)
{
	uint64_t pc;

	(void)state;
	assert_int_equal(bare_open(&b, "source=none"), 0);
	b.cof.stepped = true;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	pc = b.version.code.start;
	for (uint64_t i = 0; i < 3; i++) {
		assert_true(cof_ring_push(&cof_thread_self->ring, &pc, 1));
		step_once();
		assert_int_equal(counted(), i);
		cof_pending_put(b.cof.threads, cof_thread_self);
		cof_pending_put(b.cof.threads, cof_thread_self);
		step_once();
		assert_int_equal(counted(), i + 1);
	}
	/* At the end all are looked at. */
	assert_true(cof_ring_push(&cof_thread_self->ring, &pc, 1));
	cof_sampler_stop(&b.cof);
	assert_int_equal(counted(), 4);
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			rounds_look_at_threads_that_have_something,
			bare_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
