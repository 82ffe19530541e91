/*
 * test_idle_release.c - what is given back when nothing is built any more
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "hosts/toy/toy.h"
#include "tests/support/balance.h"
#include "instance.h"
#include "optimizer/policy/idle_release.h"
#include "tests/cof/api/stepped_loop.h"

#define MS UINT64_C(1000000)

static void it_waits_from_the_last_build_on(void **state)
{
	struct cof_idle_release r = { .idle_ns = 100 * MS };

	(void)state;
	assert_int_equal(cof_idle_release_wait(&r, 1000 * MS, 1000 * MS),
			 100 * MS);
	assert_int_equal(cof_idle_release_wait(&r, 1000 * MS, 1099 * MS), MS);
	assert_int_equal(cof_idle_release_wait(&r, 1000 * MS, 1100 * MS), 0);
	assert_int_equal(cof_idle_release_wait(&r, 1050 * MS, 1100 * MS),
			 50 * MS);
}

static void it_does_not_release_while_something_is_built(void **state)
{
	struct cof_idle_release r = { .idle_ns = 100 * MS };

	(void)state;
	assert_true(cof_idle_release_wait(&r, UINT64_MAX, 9000 * MS) ==
		    UINT64_MAX);
}

static void without_the_option_it_never_releases(void **state)
{
	struct cof_idle_release r = { 0 };

	(void)state;
	assert_true(cof_idle_release_wait(&r, MS, 9000 * MS) == UINT64_MAX);
}

/* -- An instance ----------------------------------------------------------- */

static struct toy toy;
static _Atomic int releases, held, held_at_release;

static void *gather(void *ctx, void *method)
{
	(void)ctx;
	held++;
	return method;
}

static void drop(void *ctx, void *ir)
{
	(void)ctx;
	(void)ir;
	held--;
}

static void release(void *ctx)
{
	(void)ctx;
	held_at_release = held;
	releases++;
}

static struct cof_host the_host(void (*give_back)(void *))
{
	struct cof_host host = toy_host(&toy);

	releases = held = held_at_release = 0;
	host.gather = gather;
	host.drop = drop;
	host.release_idle = give_back;
	return host;
}

static void start(const char *options, void (*give_back)(void *))
{
	struct cof_host host = the_host(give_back);

	assert_int_equal(cof_start(&host, options, NULL, &toy.cof), 0);
}

static void start_stepped(const char *options, void (*give_back)(void *))
{
	struct cof_host host = the_host(give_back);

	assert_int_equal(stepped_start(&host, options, true, NULL), 0);
	toy.cof = stepped.cof;
}

static void end(void)
{
	cof_free(toy.cof);
	toy.cof = NULL;
}

/* Ends what a failed test left running. */
static int teardown(void **state)
{
	(void)state;
	end();
	cof_clock_injected = NULL;
	return 0;
}

#define OPTIONS "mode=co,stats=none,history=none,source=none,idle_ms="

static void idle_it_releases_once(void **state)
{
	(void)state;
	start_stepped(OPTIONS "1000", release);
	stepped_spend(NULL, STEPPED_S - 1000 * 1000);
	assert_int_equal(releases, 0);
	stepped_spend(NULL, 100 * STEPPED_S);
	cof_stop(toy.cof);
	assert_int_equal(releases, 1);
	assert_int_equal(toy.cof->flow->optimizer.idle_releases, 1);
	end();
}

/*
 * Makes one turn in which a release is due, after P/O has stopped, with a
 * method that has IR as a build leaves it. Returns whether the method still has
 * it.
 */
static bool has_ir_after_a_turn(void (*give_back)(void *))
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 3 };
	bool has;

	start(OPTIONS "60000", give_back);
	toy_add(&toy, &m);
	m.method->build.ir = gather(NULL, &m);
	cof_stop(toy.cof);
	cof_idle_release_turn(toy.cof,
			      &(struct cof_idle_release){ .idle_ns = MS }, MS,
			      9 * MS);
	has = m.method->build.ir != NULL;
	end();
	assert_int_equal(held, 0);
	return has;
}

static void all_ir_is_dropped_before(void **state)
{
	(void)state;
	assert_false(has_ir_after_a_turn(release));
	assert_int_equal(releases, 1);
	assert_int_equal(held_at_release, 0);
}

static void a_host_that_cannot_release_keeps_its_ir(void **state)
{
	(void)state;
	assert_true(has_ir_after_a_turn(NULL));
}

static void each_time_it_waits_longer(void **state)
{
	struct cof_idle_release r = { .idle_ns = MS };
	uint64_t wait = MS, now = MS;

	(void)state;
	start(OPTIONS "60000", release);
	cof_stop(toy.cof);
	for (int i = 0; i < 8; i++) {
		uint64_t since = now;

		assert_int_equal(cof_idle_release_wait(&r, since, now), wait);
		now += wait;
		cof_idle_release_turn(toy.cof, &r, since, now);
		assert_int_equal(releases, i + 1);
		/* Not again until something was built. */
		assert_true(cof_idle_release_wait(&r, since, now) ==
			    UINT64_MAX);
		wait = wait < 4 * MS ? 2 * wait : wait;
		now += MS;
	}
	end();
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(it_waits_from_the_last_build_on),
		T(it_does_not_release_while_something_is_built),
		T(without_the_option_it_never_releases),
		T(each_time_it_waits_longer),
		T(idle_it_releases_once),
		T(all_ir_is_dropped_before),
		T(a_host_that_cannot_release_keeps_its_ir),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
