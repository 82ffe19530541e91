/*
 * test_hash.c - the hash of content against its authors' vectors
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/hash.h"

#define K0 UINT64_C(0x0706050403020100)
#define K1 UINT64_C(0x0f0e0d0c0b0a0908)

/* The vectors' key is 00 01 .. 0f, and their messages 00 01 02 ... */
static void it_is_siphash_2_4_with_128_bits(void **state)
{
	static const struct {
		size_t  bytes;
		uint8_t sum[COF_HASH_BYTES];
	} vector[] = {
		{ 0, { 0xa3, 0x81, 0x7f, 0x04, 0xba, 0x25, 0xa8, 0xe6,
		       0x6d, 0xf6, 0x72, 0x14, 0xc7, 0x55, 0x02, 0x93 } },
		{ 1, { 0xda, 0x87, 0xc1, 0xd8, 0x6b, 0x99, 0xaf, 0x44,
		       0x34, 0x76, 0x59, 0x11, 0x9b, 0x22, 0xfc, 0x45 } },
		{ 63, { 0x51, 0x50, 0xd1, 0x77, 0x2f, 0x50, 0x83, 0x4a,
			0x50, 0x3e, 0x06, 0x9a, 0x97, 0x3f, 0xbd, 0x7c } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(vector) / sizeof(vector[0]); i++) {
		uint8_t message[64], sum[COF_HASH_BYTES];
		struct cof_hash h;

		for (size_t k = 0; k < sizeof(message); k++)
			message[k] = (uint8_t)k;
		cof_hash_init_key(&h, K0, K1);
		cof_hash_add(&h, message, vector[i].bytes);
		cof_hash_end(&h, sum);
		assert_memory_equal(sum, vector[i].sum, sizeof(sum));
	}
}

static void pieces_of_any_size_make_the_same_sum(void **state)
{
	uint8_t message[100], whole[COF_HASH_BYTES], sum[COF_HASH_BYTES];

	(void)state;
	for (size_t k = 0; k < sizeof(message); k++)
		message[k] = (uint8_t)(k * 7);
	cof_hash(message, sizeof(message), whole);
	for (size_t step = 1; step < sizeof(message); step++) {
		struct cof_hash h;

		cof_hash_init(&h);
		for (size_t at = 0; at < sizeof(message); at += step)
			cof_hash_add(&h, message + at,
				     step < sizeof(message) - at ?
				     step : sizeof(message) - at);
		cof_hash_add(&h, message, 0);
		cof_hash_end(&h, sum);
		assert_memory_equal(sum, whole, sizeof(sum));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_siphash_2_4_with_128_bits),
		cmocka_unit_test(pieces_of_any_size_make_the_same_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
