/*
 * test_ehframe.c - the functions of an .eh_frame, also of a malformed one
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "eh_code.h"
#include "threads/ehframe.h"

struct fdes {
	struct cof_fde fde[4];
	int n;
};

static int collect(void *arg, const struct cof_fde *fde)
{
	struct fdes *fdes = arg;

	fdes->fde[fdes->n++] = *fde;
	return 0;
}

static void an_eh_frame_gives_its_functions(void **state)
{
	struct fdes fdes = { .n = 0 };

	(void)state;
	assert_int_equal(cof_ehframe_read(frames, frames_bytes, collect, &fdes),
			 2);
	assert_int_equal(fdes.fde[0].start, ADDRESS(range.exec));
	assert_int_equal(fdes.fde[0].end, ADDRESS(range.exec) + 9);
	assert_int_equal(fdes.fde[1].start, ADDRESS(range.exec) + OUTER);
	assert_int_equal(fdes.fde[1].end, ADDRESS(range.exec) + sizeof(code));
}

static void an_eh_frame_cut_anywhere_is_read_no_further(void **state)
{
	struct fdes fdes;
	long n;

	(void)state;
	for (size_t bytes = 0; bytes < frames_bytes; bytes++) {
		/* It ends where the mapping ends: one byte further faults. */
		uint8_t *end = (uint8_t *)range.data + range.data_bytes;

		memcpy(end - bytes, frames, bytes);
		fdes.n = 0;
		n = cof_ehframe_read(end - bytes, bytes, collect, &fdes);
		assert_true(n <= 2);
		assert_int_equal(n < 0 ? fdes.n <= 2 : fdes.n == n, 1);
	}
}

static void an_eh_frame_with_any_byte_wrong_is_survived(void **state)
{
	struct fdes fdes;

	(void)state;
	for (size_t at = 0; at < frames_bytes; at++) {
		for (int bit = 0; bit < 8; bit++) {
			frames[at] ^= (uint8_t)(1 << bit);
			fdes.n = 0;
			assert_true(cof_ehframe_read(frames, frames_bytes,
						     collect, &fdes) <= 2);
			frames[at] ^= (uint8_t)(1 << bit);
		}
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, make_code, drop_code)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(an_eh_frame_gives_its_functions),
		T(an_eh_frame_cut_anywhere_is_read_no_further),
		T(an_eh_frame_with_any_byte_wrong_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
