/*
 * test_locate.c - the host is asked about samples in no version, up to a bound
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/role.h"
#include "process/stage.h"
#include "sampler/credit.h"
#include "tests/support/balance.h"
#include "tests/support/bare.h"

#define FOUND_BYTES 64u

static struct bare        b;
static struct cof_stage   stage;
static struct cof_version found;	/* what the host adds */
static uintptr_t          asked_for;	/* the last address */
static unsigned           asked;	/* how often */
static int                answer;
static bool               adds, stops;

static int locate(void *ctx, const void *ip)
{
	(void)ctx;
	asked++;
	asked_for = (uintptr_t)ip;
	if (stops)
		atomic_store(&stage.stopping, true);
	if (adds && cof_jitinfo_add(b.cof.index, &found) != 0)
		return 0;
	return answer;
}

static int setup(void **state)
{
	(void)state;
	asked = 0;
	answer = 1;
	adds = true;
	stops = false;
	atomic_store(&stage.stopping, false);
	cof_role = COF_ROLE_SAMPLER;
	if (bare_open(&b, NULL) != 0)
		return -1;
	b.cof.host.locate = locate;
	found = (struct cof_version){ .method = &b.method };
	found.code.start = (uintptr_t)b.code.exec + 4096;
	found.code.end = found.code.start + FOUND_BYTES;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	assert_null(unbalanced(b.cof.flow));
	cof_role = COF_ROLE_APP;
	bare_close(&b);
	return 0;
}

static uint64_t get(const cof_count *c)
{
	return cof_count_get(c);
}

static const struct cof_flow_sampler *flow(void)
{
	return &b.cof.flow->sampler;
}

static void ask(void)
{
	cof_credit_unknown(&b.cof, &stage);
}

static void the_host_is_asked_after_the_round_and_once(void **state)
{
	(void)state;
	for (uintptr_t i = 0; i < 3; i++) {
		cof_credit(&b.cof, found.code.start + i);
		assert_null(unbalanced(b.cof.flow));
	}
	cof_credit(&b.cof, b.version.code.start);	/* a known version */
	assert_int_equal(asked, 0);
	assert_int_equal(get(&flow()->taken), 1);
	ask();
	assert_int_equal(asked, 1);
	assert_int_equal(asked_for, found.code.start);
	assert_int_equal(found.sampled.total, 3);
	assert_int_equal(get(&flow()->taken), 4);
	assert_int_equal(get(&flow()->counted), 4);
	cof_credit(&b.cof, found.code.start);
	ask();
	assert_int_equal(asked, 1);
	assert_int_equal(found.sampled.total, 4);
}

static void what_the_host_does_not_know_is_native(void **state)
{
	(void)state;
	adds = false;
	answer = 0;
	cof_credit(&b.cof, found.code.start);
	ask();
	/* The host says yes, but there is no version at that address. */
	answer = 1;
	cof_credit(&b.cof, found.code.start);
	ask();
	assert_int_equal(asked, 2);
	assert_int_equal(get(&flow()->taken), 2);
	assert_int_equal(get(&flow()->drop_NATIVE), 2);
}

static void without_locate_they_are_native_at_once(void **state)
{
	(void)state;
	b.cof.host.locate = NULL;
	cof_credit(&b.cof, found.code.start);
	assert_int_equal(get(&flow()->drop_NATIVE), 1);
	ask();
	assert_int_equal(get(&flow()->taken), 1);
}

static void samples_beyond_the_bound_are_native(void **state)
{
	(void)state;
	for (unsigned i = 0; i < COF_UNKNOWN_MAX + 7; i++)
		cof_credit(&b.cof, found.code.start);
	assert_int_equal(get(&flow()->drop_NATIVE), 7);
	ask();
	assert_int_equal(asked, 1);
	assert_int_equal(get(&flow()->counted), COF_UNKNOWN_MAX);
	/* The array is empty again. */
	cof_credit(&b.cof, found.code.end);
	assert_int_equal(get(&flow()->drop_NATIVE), 7);
	adds = false;
	ask();
	assert_int_equal(get(&flow()->drop_NATIVE), 8);
}

static void sam_asks_no_more_once_told_to_stop(void **state)
{
	(void)state;
	adds = false;
	stops = true;
	for (uintptr_t i = 0; i < 3; i++)
		cof_credit(&b.cof, found.code.start + i);
	ask();
	assert_int_equal(asked, 1);
	assert_int_equal(get(&flow()->drop_NATIVE), 3);
	cof_credit(&b.cof, found.code.start);
	cof_credit_unknown(&b.cof, NULL);	/* the last round */
	assert_int_equal(asked, 1);
	assert_int_equal(get(&flow()->taken), 4);
}

/* The ring to PRE is full. */
static void one_that_is_found_may_be_dropped_like_others(void **state)
{
	uint64_t rec = (uintptr_t)&b.version;

	(void)state;
	while (cof_ring_push(&b.cof.touched, &rec, 1))
		;
	cof_credit(&b.cof, found.code.start);
	ask();
	assert_int_equal(get(&flow()->drop_TOUCH_FULL), 1);
	assert_int_equal(cof_word_read(&found.word).calls, 0);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_host_is_asked_after_the_round_and_once),
		T(what_the_host_does_not_know_is_native),
		T(without_locate_they_are_native_at_once),
		T(samples_beyond_the_bound_are_native),
		T(sam_asks_no_more_once_told_to_stop),
		T(one_that_is_found_may_be_dropped_like_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
