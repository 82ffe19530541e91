/*
 * test_stub.c - stubs lead to their target, and ask the host once
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "first_call.h"
#include "patcher/stub.h"
#include "tests/cof/codemem/far.h"

static int one(void)   { return 1; }
static int two(void)   { return 2; }

static void a_stub_of_no_method_leads_far_and_near(void **state)
{
	struct piece p = { .n = 0 }, distant = { .n = 0 };
	void *at = far_from(cof_method_stub(method)), *stub;
	struct cof_version_desc d;

	(void)state;
	piece_return(&distant, 1);
	memcpy(at, distant.byte, distant.n);
	assert_int_equal(mprotect(at, FAR_BYTES, PROT_READ | PROT_EXEC), 0);
	stub = cof_stub_new(cof, at);
	assert_non_null(stub);
	assert_int_equal((uintptr_t)stub % 16, 0);
	assert_int_equal(*(unsigned char *)stub, 0xff);
	assert_int_equal(piece_run(stub), 1);
	piece_return(&p, 3);
	d = piece_place(cof, &p, NULL);
	cof_stub_retarget(cof, stub, d.block.exec);
	assert_int_equal(*(unsigned char *)stub, 0xe9);
	assert_int_equal(piece_run(stub), 3);
	cof_stub_retarget(cof, stub, two);
	assert_int_equal(piece_run(stub), 2);
	assert_non_null(cof_stub_new(cof, NULL));	/* its call faults */
	far_free(at);
}

static _Atomic bool stop;

static void *call_and_check(void *stub)
{
	while (!stop) {
		int got = piece_run(stub);

		if (got < 1 || got > 3)
			return (void *)(intptr_t)got;
	}
	return NULL;
}

static void a_stub_is_always_one_of_its_targets(void **state)
{
	void *stub = cof_stub_new(cof, one), *wrong;
	const void *to[3] = { one, two };
	struct piece p = { .n = 0 };
	pthread_t thread[2];

	(void)state;
	piece_return(&p, 3);
	to[2] = piece_place(cof, &p, NULL).block.exec;
	stop = false;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL,
						call_and_check, stub), 0);
	for (int i = 0; i < 100000; i++)
		cof_stub_retarget(cof, stub, to[i % 3]);
	stop = true;
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], &wrong);
		assert_null(wrong);
	}
}

static void every_method_has_a_stub_of_its_own(void **state)
{
	struct cof_method *other = piece_method(cof, NULL);

	(void)state;
	assert_ptr_not_equal(cof_method_stub(method), cof_method_stub(other));
	piece_add_return(cof, method, 5);
	piece_add_return(cof, other, 6);
	assert_int_equal(piece_run(cof_method_stub(method)), 5);
	assert_int_equal(piece_run(cof_method_stub(other)), 6);
	assert_int_equal(asked, 0);
}

static void the_first_call_asks_the_host_once(void **state)
{
	(void)state;
	target = one;
	assert_null(cof_method_entry(method));
	for (int i = 0; i < 3; i++)
		assert_int_equal(piece_run(cof_method_stub(method)), 1);
	assert_int_equal(asked, 1);
	assert_int_equal(cof_count_get(&cof->flow->patcher.first_calls), 1);
	assert_non_null(cof_method_entry(method));
}

static void add_in_time(void)
{
	piece_add_return(cof, method, 9);
}

/*
 * The host adds its version after another thread added one. The later one wins,
 * and the call goes to it.
 */
static void two_first_versions_may_come(void **state)
{
	(void)state;
	target = two;
	in_first_call = add_in_time;
	assert_int_equal(piece_run(cof_method_stub(method)), 2);
	assert_int_equal(cof_count_get(&cof->flow->reclaim.waiting), 1);
}

static void without_a_host_that_builds_there_is_a_trap(void **state)
{
	uintptr_t to;

	(void)state;
	cof->host.first_call = NULL;
	to = cof_stub_first_call(cof, (uintptr_t)cof_method_stub(method) + 5);
	assert_int_equal(*(unsigned char *)to, 0xcc);
}

/* The second of two threads in a first call finds the first one's version. */
static void a_first_call_that_comes_late_goes_on_at_the_stub(void **state)
{
	uintptr_t stub = (uintptr_t)cof_method_stub(method);

	(void)state;
	piece_add_return(cof, method, 9);
	assert_int_equal(cof_stub_first_call(cof, stub + 5), stub);
	assert_int_equal(asked, 0);
	assert_int_equal(piece_run((const void *)stub), 9);
}

static _Atomic int calls;

static void make_none_at_first(void *ctx, void *data)
{
	if (++calls == 3)
		first_call(ctx, data);
}

static void a_first_call_without_a_version_is_made_again(void **state)
{
	(void)state;
	target = one;
	calls = 0;
	cof->host.first_call = make_none_at_first;
	assert_int_equal(piece_run(cof_method_stub(method)), 1);
	assert_int_equal(calls, 3);
}

static pthread_barrier_t at_once;

static void *race(void *stub)
{
	pthread_barrier_wait(&at_once);
	return (void *)(intptr_t)piece_run(stub);
}

static void threads_may_race_for_a_first_call(void **state)
{
	enum { THREADS = 4, METHODS = 50 };
	pthread_t thread[THREADS];
	void *got;

	(void)state;
	target = two;
	for (int m = 0; m < METHODS; m++) {
		method = piece_method(cof, &target);
		pthread_barrier_init(&at_once, NULL, THREADS);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&thread[i], NULL, race,
					 cof_method_stub(method)), 0);
		for (int i = 0; i < THREADS; i++) {
			pthread_join(thread[i], &got);
			assert_int_equal((intptr_t)got, 2);
		}
		pthread_barrier_destroy(&at_once);
	}
	/* Each call of the host made a version; all but the last were
	 * replaced. */
	assert_int_equal(cof_count_get(&cof->flow->reclaim.waiting),
			 asked - METHODS);
	assert_true(cof_count_get(&cof->flow->patcher.first_calls) >=
		    (unsigned)asked);
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, first_call_setup,		\
					first_call_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_stub_of_no_method_leads_far_and_near),
		T(a_stub_is_always_one_of_its_targets),
		T(every_method_has_a_stub_of_its_own),
		T(the_first_call_asks_the_host_once),
		T(two_first_versions_may_come),
		T(without_a_host_that_builds_there_is_a_trap),
		T(a_first_call_without_a_version_is_made_again),
		T(a_first_call_that_comes_late_goes_on_at_the_stub),
		T(threads_may_race_for_a_first_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
