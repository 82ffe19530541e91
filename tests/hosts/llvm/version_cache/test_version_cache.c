/*
 * test_version_cache.c - records are found as they were put, or not at all
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>

#include "version_cache.h"

/* A file in memory. */
static char   *bytes;
static size_t  n_bytes;

static int reset(void **state)
{
	(void)state;
	bytes = NULL;
	n_bytes = 0;
	memset(cache_key, 7, sizeof(cache_key));
	return 0;
}

static int give_back(void **state)
{
	(void)state;
	free(bytes);
	return 0;
}

/* Frees the record. */
static void put(struct cofl_version_cache_header *h)
{
	bytes = realloc(bytes, n_bytes + h->bytes);
	assert_non_null(bytes);
	memcpy(bytes + n_bytes, h, h->bytes);
	n_bytes += h->bytes;
	free(h);
}

static void put_object(uint32_t method, const char *profile, const char *object)
{
	put(cache_built(method, profile, object, strlen(object)));
}

static struct cofl_version_cache open_bytes(const void *at, size_t n)
{
	struct cofl_version_cache cache;

	assert_true(cofl_version_cache_open(&cache, at, n, cache_key));
	return cache;
}

static void what_was_put_is_found(void **state)
{
	struct cofl_version_cache s;

	(void)state;
	put_object(3, "p", "object of three");
	put_object(4, "q", "of four");
	s = open_bytes(bytes, n_bytes);
	cache_holds(&s, 3, "p", "object of three");
	cache_holds(&s, 4, "q", "of four");
	assert_null(cache_find(&s, 3, "p")->verdict);
	assert_null(cache_find(&s, 5, "p"));
	assert_int_equal(s.live, n_bytes);
	cofl_version_cache_close(&s);
}

static void one_of_another_name_is_not(void **state)
{
	uint8_t name[COF_HASH_BYTES], of[COF_HASH_BYTES];
	struct cofl_version_cache s;

	(void)state;
	put_object(3, "p", "object");
	s = open_bytes(bytes, n_bytes);
	cache_hash("another", name);
	cache_hash("p", of);
	assert_null(cofl_version_cache_find(
		&s, COFL_VERSION_CACHE_BUILT, 3, name, of));
	cofl_version_cache_close(&s);
}

static void nor_one_of_another_key(void **state)
{
	uint8_t other[COF_HASH_BYTES] = { 1 };
	struct cofl_version_cache s;

	(void)state;
	put_object(3, "p", "object");
	assert_true(cofl_version_cache_open(&s, bytes, n_bytes, other));
	assert_int_equal(s.n, 0);
	cofl_version_cache_close(&s);
}

/* `object` is found for method 3 and that profile. */
static void is_for(const struct cofl_version_cache *s, const char *profile,
		   const char *object)
{
	const struct cofl_version_cache_entry *e = cache_find(s, 3, profile);

	assert_non_null(e);
	assert_memory_equal(cofl_version_cache_object(e->built), object,
			    strlen(object));
}

static void the_latest_counts(void **state)
{
	struct cofl_version_cache s;

	(void)state;
	put_object(3, "p", "older");
	put_object(3, "p", "newer");
	put_object(3, "q", "newest");
	s = open_bytes(bytes, n_bytes);
	cache_holds(&s, 3, "p", "newer");
	cache_holds(&s, 3, "q", "newest");
	assert_true(s.live < n_bytes);
	assert_false(cofl_version_cache_is_live(&s, 0));
	assert_true(cofl_version_cache_is_live(&s, 1));
	assert_true(cofl_version_cache_is_live(&s, 2));
	cofl_version_cache_close(&s);
}

static void continuations_are_no_versions(void **state)
{
	static const enum cofl_version_cache_kind kind =
		COFL_VERSION_CACHE_CONTINUATIONS;
	uint8_t name[COF_HASH_BYTES], of[COF_HASH_BYTES];
	const struct cofl_version_cache_entry *e;
	struct cofl_version_cache s;

	(void)state;
	put_object(3, "p", "version");
	for (int i = 0; i < 3; i++)
		put(cache_made(kind, 3, "p", (char[]){ (char)i }, 1));
	s = open_bytes(bytes, n_bytes);
	cache_holds(&s, 3, "p", "version");
	cache_hash("name", name);
	cache_hash("p", of);
	e = cofl_version_cache_find(&s, kind, 3, name, of);
	assert_non_null(e);
	assert_int_equal(*(const char *)cofl_version_cache_object(e->built), 2);
	assert_true(cofl_version_cache_is_live(&s, 0));
	assert_false(cofl_version_cache_is_live(&s, 1));
	assert_true(cofl_version_cache_is_live(&s, 2));
	cofl_version_cache_close(&s);
}

/* Once there is a version the method need not count any more. */
static void of_those_that_count_the_latest_is_kept_for_a_time(void **state)
{
	static const enum cofl_version_cache_kind kind =
		COFL_VERSION_CACHE_COUNTING;
	struct cofl_version_cache s;

	(void)state;
	put_object(4, "p", "of another method");
	put(cache_made(kind, 3, "edges", "older", 5));
	put(cache_made(kind, 3, "edges", "newer", 5));
	s = open_bytes(bytes, n_bytes);
	assert_false(cofl_version_cache_is_live(&s, 1));
	assert_true(cofl_version_cache_is_live(&s, 2));
	assert_null(cache_find(&s, 3, "p"));
	cofl_version_cache_close(&s);
	put_object(3, "p", "version");
	s = open_bytes(bytes, n_bytes);
	assert_false(cofl_version_cache_is_live(&s, 2));
	cache_holds(&s, 3, "p", "version");
	cofl_version_cache_close(&s);
}

static void for_another_profile_there_is_the_latest(void **state)
{
	struct cofl_version_cache s;

	(void)state;
	put_object(3, "p", "older");
	put_object(3, "q", "newer");
	s = open_bytes(bytes, n_bytes);
	is_for(&s, "another", "newer");
	is_for(&s, "p", "older");
	assert_null(cache_find(&s, 4, "p"));
	cofl_version_cache_close(&s);
	/* The same version, built again, is the latest. */
	put_object(3, "p", "older");
	s = open_bytes(bytes, n_bytes);
	assert_int_equal(s.n, 2);
	is_for(&s, "another", "older");
	cofl_version_cache_close(&s);
}

static void without_the_latest_there_is_the_one_before(void **state)
{
	struct cofl_version_cache_header *b = cache_built(3, "q", "newer", 5);
	uint8_t p[COF_HASH_BYTES], q[COF_HASH_BYTES];
	struct cofl_version_cache s;

	(void)state;
	cache_hash("p", p);
	cache_hash("q", q);
	put_object(3, "p", "older");
	put(cache_built(3, "q", "newer", 5));
	put(cache_verdict(b, COFL_VERSION_CACHE_ROLLED_BACK, 900));
	s = open_bytes(bytes, n_bytes);
	is_for(&s, "q", "older");
	is_for(&s, "another", "older");
	assert_true(cofl_version_cache_failed(&s, 3, q));
	assert_false(cofl_version_cache_failed(&s, 3, p));
	assert_false(cofl_version_cache_failed(&s, 4, q));
	assert_true(cofl_version_cache_is_live(&s, 0));
	assert_false(cofl_version_cache_is_live(&s, 1));
	cofl_version_cache_close(&s);
	free(b);
}

static void a_verdict_is_about_one_version(void **state)
{
	struct cofl_version_cache_header *b = cache_built(3, "p", "object", 6);
	struct cofl_version_cache s;

	(void)state;
	put(cache_verdict(b, 0, 1234));	/* of a version that is not there yet */
	put(cache_built(3, "p", "object", 6));
	s = open_bytes(bytes, n_bytes);
	assert_null(cache_find(&s, 3, "p")->verdict);
	cofl_version_cache_close(&s);
	put(cache_verdict(b, 0, 1234));
	s = open_bytes(bytes, n_bytes);
	assert_int_equal(cache_find(&s, 3, "p")->verdict->permille, 1234);
	cofl_version_cache_close(&s);
	put(cache_built(3, "p", "another", 7));
	s = open_bytes(bytes, n_bytes);
	assert_null(cache_find(&s, 3, "p")->verdict);
	cofl_version_cache_close(&s);
	free(b);
}

static void what_was_taken_back_does_not_come_again(void **state)
{
	struct cofl_version_cache_header *b = cache_built(3, "p", "object", 6);
	struct cofl_version_cache s;

	(void)state;
	put(cache_built(3, "p", "object", 6));
	put(cache_verdict(b, 0, 1100));
	put(cache_verdict(b, COFL_VERSION_CACHE_ROLLED_BACK, 900));
	s = open_bytes(bytes, n_bytes);
	assert_null(cache_find(&s, 3, "p"));
	assert_int_equal(s.live, 0);
	cofl_version_cache_close(&s);
	/* The same version, built again, has its verdict. */
	put(cache_built(3, "p", "object", 6));
	s = open_bytes(bytes, n_bytes);
	assert_null(cache_find(&s, 3, "p"));
	cofl_version_cache_close(&s);
	free(b);
}

/* -- Damage ---------------------------------------------------------------- */

/* Three records. Tests damage one and look for the others. */
static void put_three(void)
{
	put_object(3, "p", "object of three");
	put_object(4, "q", "of four");
	put_object(5, "r", "of five");
}

static void cut_off_anywhere_the_others_are_there(void **state)
{
	size_t one;

	(void)state;
	put_three();
	one = n_bytes / 3;
	for (size_t n = 0; n < n_bytes; n++) {
		char *at = malloc(n + 1);	/* no byte beyond is read */
		struct cofl_version_cache s;

		assert_non_null(at);
		memcpy(at, bytes, n);
		s = open_bytes(at, n);
		assert_int_equal(s.n, n / one);
		if (n >= one)
			cache_holds(&s, 3, "p", "object of three");
		if (n >= 2 * one)
			cache_holds(&s, 4, "q", "of four");
		cofl_version_cache_close(&s);
		free(at);
	}
}

static void changed_anywhere_the_others_are_there(void **state)
{
	size_t one;

	(void)state;
	put_three();
	one = n_bytes / 3;
	for (size_t i = one; i < 2 * one; i++)
		for (int bit = 0; bit < 8; bit++) {
			struct cofl_version_cache s;

			bytes[i] ^= (char)(1 << bit);
			s = open_bytes(bytes, n_bytes);
			assert_null(cache_find(&s, 4, "q"));
			cache_holds(&s, 3, "p", "object of three");
			cache_holds(&s, 5, "r", "of five");
			cofl_version_cache_close(&s);
			bytes[i] ^= (char)(1 << bit);
		}
}

static void after_rubbish_comes_what_was_put_next(void **state)
{
	struct cofl_version_cache s;

	(void)state;
	n_bytes = 5 * COFL_VERSION_CACHE_ALIGN;
	bytes = malloc(n_bytes);
	assert_non_null(bytes);
	memset(bytes, 0xa5, n_bytes);
	put_object(3, "p", "object");
	s = open_bytes(bytes, n_bytes);
	cache_holds(&s, 3, "p", "object");
	cofl_version_cache_close(&s);
}

/* Wrong lengths, and a hash that does not match. */
static void lengths_that_lead_outside_are_refused(void **state)
{
	const uint64_t lengths[] = { 0, 1, 64, 1 << 20, UINT64_MAX,
				     UINT64_MAX - 63, UINT64_MAX / 2 + 1 };

	(void)state;
	put_object(3, "profile", "object");
	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		struct cofl_version_cache_header *h = (void *)bytes, was = *h;
		struct cofl_version_cache s;

		for (int field = 0; field < 4; field++) {
			if (field == 0)
				h->bytes = lengths[i];
			else if (field == 1)
				h->object_bytes = lengths[i];
			else if (field == 2)
				h->profile_bytes = lengths[i];
			else
				h->n_inlined = (uint32_t)lengths[i];
			s = open_bytes(bytes, n_bytes);
			assert_int_equal(s.n, 0);
			cofl_version_cache_close(&s);
			*h = was;
		}
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, reset, give_back)
	const struct CMUnitTest tests[] = {
		TEST(what_was_put_is_found),
		TEST(one_of_another_name_is_not),
		TEST(for_another_profile_there_is_the_latest),
		TEST(without_the_latest_there_is_the_one_before),
		TEST(nor_one_of_another_key),
		TEST(the_latest_counts),
		TEST(continuations_are_no_versions),
		TEST(of_those_that_count_the_latest_is_kept_for_a_time),
		TEST(a_verdict_is_about_one_version),
		TEST(what_was_taken_back_does_not_come_again),
		TEST(cut_off_anywhere_the_others_are_there),
		TEST(changed_anywhere_the_others_are_there),
		TEST(after_rubbish_comes_what_was_put_next),
		TEST(lengths_that_lead_outside_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
