/*
 * test_method_profile.c - frequent values, aging, saving and loading
 */
#include "profile/method_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/llvm_shim.h"

#define METHODS 100u

static const struct cofl_outline outline = { .hash = 0x1234, .n_edges = 5,
					     .n_sites = 2 };
static const uint8_t kind[2] = { COFL_SITE_CALL, COFL_SITE_SIZE };

static void see(struct cofl_top *top, uint64_t value)
{
	/* As counting code does. */
	if (top->seen[0].value == value)
		top->seen[0].count++;
	else
		cofl_profile_top_miss(top, value);
}

static struct cofl_profile *some_profile(uint64_t by)
{
	struct cofl_profile *p = cofl_profile_new(&outline, kind);

	p->ns = 1000 * by;
	for (uint32_t e = 0; e < outline.n_edges; e++)
		p->edge[e] = (e + 1) * by;
	p->site[0].seen[0] = (struct cofl_seen){ 7, 3 * by };
	p->site[0].seen[1] = (struct cofl_seen){ COFL_NO_METHOD, by };
	p->site[1].seen[0] = (struct cofl_seen){ 4096, 2 * by };
	return p;
}

static void what_is_frequent_keeps_its_place(void **state)
{
	struct cofl_top top = { 0 };
	uint64_t rare = 1000;

	(void)state;
	/* A half is 42, a quarter 43, and the rest are all different. */
	for (int i = 0; i < 1000; i++) {
		see(&top, 42);
		see(&top, i % 2 ? 43 : rare++);
	}
	assert_int_equal(top.seen[0].value, 42);
	assert_true(top.seen[0].count >= 500);
	for (int i = 1; i < (int)COFL_TOP; i++)
		if (top.seen[i].value == 43)
			return;
	fail();
}

static void as_many_as_there_are_places_are_exact(void **state)
{
	struct cofl_top top = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		for (uint64_t v = 0; v < COFL_TOP; v++)
			see(&top, v * 16);
	for (unsigned i = 0; i < COFL_TOP; i++)
		assert_int_equal(top.seen[i].count, 1000);
}

static void a_value_that_takes_over_comes_first(void **state)
{
	struct cofl_top top = { 0 };

	(void)state;
	for (int i = 0; i < 10; i++)
		see(&top, 1);
	for (int i = 0; i < 100; i++)
		see(&top, 2);
	assert_int_equal(top.seen[0].value, 2);
	assert_int_equal(top.seen[0].count, 100);
}

static void no_pointer_is_a_value_too(void **state)
{
	struct cofl_top top = { 0 };

	(void)state;
	see(&top, 0);
	see(&top, 0);
	see(&top, 5);
	assert_int_equal(top.seen[0].value, 0);
	assert_int_equal(top.seen[0].count, 2);
}

static void threads_add_up(void **state)
{
	struct cofl_top a = { { { 1, 10 }, { 2, 5 } } };
	struct cofl_top b = { { { 2, 20 }, { 3, 1 }, { 4, 1 }, { 5, 2 } } };

	(void)state;
	cofl_profile_top_merge(&a, &b);
	assert_int_equal(a.seen[0].value, 2);
	assert_int_equal(a.seen[0].count, 25);
	assert_int_equal(a.seen[1].value, 1);
	assert_int_equal(a.seen[2].value, 5);
	assert_int_equal(a.seen[3].value, 3);
}

/* A race may leave one value in two places. */
static void a_value_that_stands_twice_is_one(void **state)
{
	struct cofl_top a = { { { 9, 4 }, { 9, 3 } } }, b = { 0 };

	(void)state;
	cofl_profile_top_merge(&a, &b);
	assert_int_equal(a.seen[0].count, 7);
	assert_int_equal(a.seen[1].count, 0);
}

static void full_counters_stay_full(void **state)
{
	struct cofl_top a = { { { 1, UINT64_MAX } } };
	struct cofl_top b = { { { 1, UINT64_MAX } } };

	(void)state;
	cofl_profile_top_merge(&a, &b);
	assert_int_equal(a.seen[0].count, UINT64_MAX);
}

static void the_past_counts_half(void **state)
{
	struct cofl_profile *old = some_profile(10), *newer = some_profile(10);

	(void)state;
	cofl_profile_age(newer, old);
	assert_int_equal(newer->edge[0], 15);
	assert_int_equal(newer->edge[4], 75);
	assert_int_equal(newer->site[0].seen[0].count, 45);
	assert_int_equal(newer->ns, 15000);
	cofl_profile_free(old);
	cofl_profile_free(newer);
}

static void a_long_past_does_not_drown_the_present(void **state)
{
	struct cofl_profile *old = some_profile(1000000);
	struct cofl_profile *newer = some_profile(10);
	uint64_t before = cofl_profile_total(newer);

	(void)state;
	memset(newer->edge, 0, outline.n_edges * sizeof(*newer->edge));
	newer->edge[2] = before;
	cofl_profile_age(newer, old);
	assert_true(newer->edge[2] >= before);
	assert_true(cofl_profile_total(newer) <= before + before / 2 + 1);
	cofl_profile_free(old);
	cofl_profile_free(newer);
}

static void what_was_saved_comes_back(void **state)
{
	struct cofl_profile *p = some_profile(123456789), *q;
	size_t n = cofl_profile_save(p, NULL, 0);
	unsigned char *bytes = malloc(n), *again = malloc(n);

	(void)state;
	assert_int_equal(cofl_profile_save(p, bytes, n), n);
	assert_int_equal(cofl_profile_load(&outline, kind, METHODS, bytes, n,
					   &q), 0);
	assert_int_equal(q->ns, p->ns);
	assert_memory_equal(q->edge, p->edge, outline.n_edges * 8);
	assert_memory_equal(q->site, p->site, outline.n_sites *
					      sizeof(struct cofl_top));
	cofl_profile_save(q, again, n);
	assert_memory_equal(again, bytes, n);
	cofl_profile_free(p);
	cofl_profile_free(q);
	free(bytes);
	free(again);
}

/* These bytes are no profile of a method like `of`. */
static void expect_refused(const struct cofl_outline *of,
			   const unsigned char *bytes, size_t n)
{
	struct cofl_profile *q;

	assert_int_not_equal(cofl_profile_load(of, kind, METHODS, bytes, n, &q),
			     0);
	assert_null(q);
}

static void no_byte_can_be_changed_unseen(void **state)
{
	struct cofl_profile *p = some_profile(77);
	size_t n = cofl_profile_save(p, NULL, 0);
	unsigned char *bytes = malloc(n);

	(void)state;
	cofl_profile_save(p, bytes, n);
	for (size_t i = 0; i < n; i++)
		for (int bit = 0; bit < 8; bit++) {
			bytes[i] ^= (unsigned char)(1 << bit);
			expect_refused(&outline, bytes, n);
			bytes[i] ^= (unsigned char)(1 << bit);
		}
	for (size_t less = 0; less < n; less++)
		expect_refused(&outline, bytes, less);
	cofl_profile_free(p);
	free(bytes);
}

static void a_profile_of_another_body_is_refused(void **state)
{
	struct cofl_profile *p = some_profile(1);
	size_t n = cofl_profile_save(p, NULL, 0);
	unsigned char *bytes = malloc(n);
	struct cofl_outline other = outline;

	(void)state;
	cofl_profile_save(p, bytes, n);
	other.hash++;
	expect_refused(&other, bytes, n);
	other = outline;
	other.n_edges++;
	expect_refused(&other, bytes, n);
	cofl_profile_free(p);
	free(bytes);
}

/* The checksum is no secret: anyone can write a right one. */
static void a_sound_check_does_not_make_sound_values(void **state)
{
	struct cofl_profile *p = some_profile(5);
	size_t n = cofl_profile_save(p, NULL, 0);
	unsigned char *bytes = malloc(n);

	(void)state;
	p->site[0].seen[0].value = METHODS;	/* no such method */
	cofl_profile_save(p, bytes, n);
	expect_refused(&outline, bytes, n);
	p->site[0].seen[0] = (struct cofl_seen){ 7, 1 };
	p->site[0].seen[1] = (struct cofl_seen){ 7, 1 };	/* twice */
	cofl_profile_save(p, bytes, n);
	expect_refused(&outline, bytes, n);
	p->site[0].seen[1] = (struct cofl_seen){ 8, 2 };	/* not first */
	cofl_profile_save(p, bytes, n);
	expect_refused(&outline, bytes, n);
	cofl_profile_free(p);
	free(bytes);
}

static void guids_are_the_start_of_md5(void **state)
{
	(void)state;
	/* From RFC 1321, A.5. */
	assert_true(cofl_llvm_shim_guid("") == UINT64_C(0x04b2008fd98c1dd4));
	assert_true(cofl_llvm_shim_guid("abc") == UINT64_C(0xb04fd23c98500190));
	assert_true(cofl_llvm_shim_guid(
			    "1234567890123456789012345678901234567890"
			    "1234567890123456789012345678901234567890") ==
		    UINT64_C(0x55c9e32ba2f4ed57));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_frequent_keeps_its_place),
		cmocka_unit_test(as_many_as_there_are_places_are_exact),
		cmocka_unit_test(a_value_that_takes_over_comes_first),
		cmocka_unit_test(no_pointer_is_a_value_too),
		cmocka_unit_test(threads_add_up),
		cmocka_unit_test(a_value_that_stands_twice_is_one),
		cmocka_unit_test(full_counters_stay_full),
		cmocka_unit_test(the_past_counts_half),
		cmocka_unit_test(a_long_past_does_not_drown_the_present),
		cmocka_unit_test(what_was_saved_comes_back),
		cmocka_unit_test(no_byte_can_be_changed_unseen),
		cmocka_unit_test(a_profile_of_another_body_is_refused),
		cmocka_unit_test(a_sound_check_does_not_make_sound_values),
		cmocka_unit_test(guids_are_the_start_of_md5),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
