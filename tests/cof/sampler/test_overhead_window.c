/*
 * test_overhead_window.c - what a sample stands for
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"
#include "sampler/sampler_private.h"
#include "tests/support/bare_test.h"

static const struct cof_flow_sampler *flow(void)
{
	return &b.cof.flow->sampler;
}

/* However often it is asked to, it delivers no more than one a tick. */
static void a_timers_sample_stands_for_a_tick_at_least(void **state)
{
	(void)state;
	assert_true(cof_clock_tick_ns() > 20000);
	assert_int_equal(bare_open(&b, "source=timer,sample_hz=50000"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_count_get(&flow()->period_ns),
			 cof_clock_tick_ns());
	bare_close(&b);
	assert_int_equal(bare_open(&b, "source=timer,sample_hz=10"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_count_get(&flow()->period_ns), 100000000);
	bare_close(&b);
}

/* The budget made the period ten times as long in between. */
static void samples_count_as_of_the_period_that_they_were_taken_with(void **s)
{
	struct cof_flow_sampler *f;

	(void)s;
	assert_int_equal(bare_open(&b, "source=none,sample_hz=1000"), 0);
	b.cof.stepped = true;
	f = &b.cof.flow->sampler;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_count_get(&flow()->sample_ns), 1000000);
	cof_count_add(&f->taken, 300);
	cof_overhead_window_value(b.cof.sampler);
	assert_int_equal(cof_count_get(&flow()->sample_ns), 1000000);
	cof_count_set(&f->period_ns, 10000000);
	cof_count_add(&f->taken, 100);
	cof_overhead_window_value(b.cof.sampler);
	assert_int_equal(cof_count_get(&flow()->sample_ns), 1300000 * 5 / 2);
	cof_count_set(&f->taken, 0);
	bare_close(&b);
}

#define T(name) cmocka_unit_test_teardown(name, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_timers_sample_stands_for_a_tick_at_least),
		T(samples_count_as_of_the_period_that_they_were_taken_with),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
