/*
 * test_no_memory.c - libcof does without any of its allocations
 *
 * The linker leads libcof's calls of its allocator here (--wrap). The n-th one
 * fails, or all from the n-th on, for each n that a whole run gets to. The
 * program's answers stay right, what enters a stage comes out of it, and no
 * block is left at the end.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdio.h>

#include "hosts/toy/toy.h"
#include "stepped_loop.h"

#define METHODS 3u
#define MS      UINT64_C(1000000)
#define RUN_NS  (12 * STEPPED_S)

void *__real_cof_mem_alloc(size_t bytes);
void *__wrap_cof_mem_alloc(size_t bytes);
void *__real_cof_mem_realloc(void *p, size_t bytes);
void *__wrap_cof_mem_realloc(void *p, size_t bytes);
char *__real_cof_mem_strdup(const char *s);
char *__wrap_cof_mem_strdup(const char *s);
bool  __real_cof_mem_reserve(void *array, uint32_t *room, uint32_t n,
			     size_t bytes);
bool  __wrap_cof_mem_reserve(void *array, uint32_t *room, uint32_t n,
			     size_t bytes);
void  __real_cof_mem_free(void *p);
void  __wrap_cof_mem_free(void *p);

static struct {
	long asked, first, last;	/* those from first to last fail */
	long blocks;			/* not freed */
} memory;

static bool refused(void)
{
	memory.asked++;
	return memory.asked >= memory.first && memory.asked <= memory.last;
}

void *__wrap_cof_mem_alloc(size_t bytes)
{
	void *p = refused() ? NULL : __real_cof_mem_alloc(bytes);

	memory.blocks += p != NULL;
	return p;
}

void *__wrap_cof_mem_realloc(void *p, size_t bytes)
{
	void *to = refused() ? NULL : __real_cof_mem_realloc(p, bytes);

	memory.blocks += p == NULL && to != NULL;
	return to;
}

bool __wrap_cof_mem_reserve(void *array, uint32_t *room, uint32_t n,
			    size_t bytes)
{
	uint32_t before = *room;

	if (n > before &&
	    (refused() || !__real_cof_mem_reserve(array, room, n, bytes)))
		return false;
	memory.blocks += before == 0 && n > 0;
	return true;
}

char *__wrap_cof_mem_strdup(const char *s)
{
	char *to = refused() ? NULL : __real_cof_mem_strdup(s);

	memory.blocks += to != NULL;
	return to;
}

void __wrap_cof_mem_free(void *p)
{
	memory.blocks -= p != NULL;
	__real_cof_mem_free(p);
}

static struct toy        toy;
static struct toy_method method[METHODS];

static int add_methods(void)
{
	for (unsigned i = 0; i < METHODS; i++) {
		int err;

		method[i] = (struct toy_method){
			.name = "method", .turns = 64, .step = (int)i,
		};
		err = toy_add(&toy, &method[i]);
		if (err)
			return err;
	}
	return 0;
}

static void pass(void)
{
	for (unsigned i = 0; i < METHODS; i++) {
		assert_int_equal(toy_call(&method[i], 7).value, 7 + 64 * i);
		stepped_spend_in(method[i].method, 2 * MS);
	}
}

static int start(void)
{
	struct cof_host host = toy_host(&toy);
	char why[COF_WHY_BYTES] = "";
	int err;

	err = stepped_start(&host, "mode=co,audit=on,stats=none,history=none,"
			    "code_mb=16,generation_ms=50", false, why);
	toy.cof = stepped.cof;
	if (err)
		assert_string_not_equal(why, "");
	return err;
}

static void finish(void)
{
	stepped_stop();
	assert_null(unbalanced(stepped.cof->flow));
	stepped_free();
	assert_int_equal(toy.discarded, toy.versions);
	assert_int_equal(toy.dropped, toy.gathered);
	assert_int_equal(memory.blocks, 0);
	toy = (struct toy){ .cof = NULL };
}

static void refuse(long first, long last)
{
	memory.asked = 0;
	memory.first = first;
	memory.last = last;
}

/* A run in which memory is short after the first calls. Returns how many
 * allocations there were meanwhile. */
static long run(long first, long last)
{
	long asked;

	refuse(LONG_MAX, LONG_MAX);
	assert_int_equal(start(), 0);
	assert_int_equal(add_methods(), 0);
	pass();
	refuse(first, last);
	while (stepped.now_ns < STEPPED_S + RUN_NS)
		pass();
	asked = memory.asked;
	finish();
	return asked;
}

static void each_may_fail_while_the_loop_runs(void **state)
{
	long all = run(LONG_MAX, LONG_MAX);

	(void)state;
	assert_in_range(all, 10, 5000);
	for (long n = 1; n <= all; n++)
		run(n, n);
}

static void all_may_fail_from_some_moment_on(void **state)
{
	long all = run(LONG_MAX, LONG_MAX);

	(void)state;
	for (long n = 1; n <= all; n++)
		run(n, LONG_MAX);
}

static void a_start_fails_and_leaves_nothing(void **state)
{
	long all;

	(void)state;
	refuse(LONG_MAX, LONG_MAX);
	assert_int_equal(start(), 0);
	all = memory.asked;
	assert_in_range(all, 5, 1000);
	finish();
	for (long n = 1; n <= all; n++) {
		refuse(n, n);
		if (start() == 0)
			finish();	/* it could do without */
		assert_int_equal(memory.blocks, 0);
	}
}

static void a_method_is_refused_and_the_others_stay(void **state)
{
	long all;

	(void)state;
	refuse(LONG_MAX, LONG_MAX);
	assert_int_equal(start(), 0);
	refuse(LONG_MAX, LONG_MAX);
	assert_int_equal(add_methods(), 0);
	all = memory.asked;
	finish();
	assert_in_range(all, 1, 1000);
	for (long n = 1; n <= all; n++) {
		refuse(LONG_MAX, LONG_MAX);
		assert_int_equal(start(), 0);
		refuse(n, n);
		if (add_methods() != 0)
			assert_int_equal(add_methods(), 0);
		pass();
		finish();
	}
}

static int teardown(void **state)
{
	(void)state;
	refuse(LONG_MAX, LONG_MAX);
	if (stepped.cof)
		stepped_free();
	toy = (struct toy){ .cof = NULL };
	return 0;
}

#define T(name) cmocka_unit_test_teardown(name, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_start_fails_and_leaves_nothing),
		T(a_method_is_refused_and_the_others_stay),
		T(each_may_fail_while_the_loop_runs),
		T(all_may_fail_from_some_moment_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
