/*
 * test_add_hot.c - a host that adds methods only when they are seen adds those
 * that were hot in earlier runs
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "known_hot.h"
#include "measure/expected_gain.h"
#include "tests/cof/optimizer/whole_turn.h"
#include "tests/support/held_cpu.h"

static int cache_nothing(void *ctx, void *method, const void *profile,
			 size_t bytes, struct cof_version_desc *out)
{
	(void)ctx, (void)method, (void)profile, (void)bytes, (void)out;
	return 1;
}

static struct toy_method  seldom[3];
static _Atomic unsigned   n_asked, n_hot;

static void ask_each(void *ctx)
{
	unsigned hot = 0;

	(void)ctx;
	for (int i = 0; i < 3; i++)
		hot += cof_was_hot(toy.cof, seldom[i].name) != 0;
	atomic_store(&n_hot, hot);
	atomic_fetch_add(&n_asked, 1);
}

static void add_hot_ones(void *ctx)
{
	ask_each(ctx);
	for (int i = 0; i < 3; i++)
		if (cof_was_hot(toy.cof, seldom[i].name) &&
		    seldom[i].method == NULL) {
			toy_add(&toy, &seldom[i]);
			toy_call(&seldom[i], 1);
		}
}

static void start_with_seldom(void (*add_hot)(void *ctx), const char *more)
{
	static const char *const names[] = { "m0", "m1", "other" };

	for (int i = 0; i < 3; i++)
		seldom[i] = (struct toy_method){ .name = names[i], .turns = 64,
						 .step = 1 };
	atomic_store(&n_asked, 0);
	atomic_store(&n_hot, 0);
	host.add_hot = add_hot;
	start(more);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
}

static void a_host_is_asked_to_add_what_was_hot(void **state)
{
	(void)state;
	remember(record_here(1, 2));
	start_with_seldom(add_hot_ones, "mode=auto,source=none");
	assert_int_equal(n_asked, 0);
	cof_ready(toy.cof);
	assert_int_equal(n_asked, 1);
	assert_null(seldom[2].method);
	assert_int_equal(call_until_built(&seldom[0]), COF_PLAN_SPEED);
	assert_int_equal(call_until_built(&seldom[1]), COF_PLAN_SPEED);
	stop_and_balance();
	assert_int_equal(toy.cof->flow->optimizer.known, 2);
	end_run();
}

static void it_is_not_asked_if_nothing_was(void **state)
{
	(void)state;
	start_with_seldom(ask_each, "mode=auto,source=none");
	cof_ready(toy.cof);
	assert_int_equal(n_asked, 0);
	assert_int_equal(cof_was_hot(toy.cof, "m0"), 0);
	stop_and_balance();
	end_run();
}

static void it_is_asked_when_it_is_decided_late(void **state)
{
	struct toy_method busy = { .name = "busy", .turns = 64, .step = 1 };
	struct patience p = patience_begin();

	(void)state;
	remember(record_here(1, 2));
	held_cpu_begin();
	host.cached_version = cache_nothing;
	host.no_cached_versions = 1;
	start_with_seldom(ask_each, "mode=auto,source=timer,auto_start_ms=100");
	toy_add(&toy, &busy);
	cof_ready(toy.cof);
	assert_int_equal(n_asked, 0);
	held_cpu_set_ms(100);
	while (n_asked == 0 && !patience_is_over(&p))
		toy_call(&busy, 1);
	assert_int_equal(n_asked, 1);
	assert_int_equal(n_hot, 2);
	stop_and_balance();
	held_cpu_end();
	end_run();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup_run, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_host_is_asked_to_add_what_was_hot),
		T(it_is_not_asked_if_nothing_was),
		T(it_is_asked_when_it_is_decided_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
