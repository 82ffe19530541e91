/*
 * test_image_stream.c - the program receives what the maker puts, and no more
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "image/image_stream.h"

#define METHODS 100u

struct sides {
	struct cofl_image_stream program, maker;
};

static int setup(void **state)
{
	struct sides *s = calloc(1, sizeof(*s));
	int fd;

	if (s == NULL)
		return -1;
	fd = cofl_image_stream_new(&s->program, METHODS, 1 << 20);
	*state = s;
	if (fd < 0 || !cofl_image_stream_open(&s->maker, fd))
		return -1;
	return close(fd);
}

static int teardown(void **state)
{
	struct sides *s = *state;

	cofl_image_stream_close(&s->program);
	cofl_image_stream_close(&s->maker);
	free(s);
	return 0;
}

static void pieces_come_in_order_and_once(void **state)
{
	struct sides *s = *state;
	const void *piece;
	char bytes[300];
	size_t n;

	assert_false(cofl_image_stream_next(&s->program, &piece, &n));
	for (size_t i = 1; i < sizeof(bytes); i++) {
		memset(bytes, (int)i, i);
		assert_true(cofl_image_stream_put(&s->maker, bytes, i));
		if (i % 3 != 0)
			continue;
		for (size_t k = i - 2; k <= i; k++) {
			memset(bytes, (int)k, k);
			assert_true(cofl_image_stream_next(&s->program, &piece,
							   &n));
			assert_int_equal(n, k);
			assert_memory_equal(piece, bytes, k);
			assert_int_equal((uintptr_t)piece % 64, 0);
		}
		assert_false(cofl_image_stream_next(&s->program, &piece, &n));
	}
}

static void wishes_and_sizes_go_across(void **state)
{
	struct sides *s = *state;

	assert_int_equal(cofl_image_stream_wanted(&s->maker, 7), 0);
	cofl_image_stream_want(&s->program, 7, 12);
	cofl_image_stream_want(&s->program, METHODS - 1, UINT32_MAX);
	assert_int_equal(cofl_image_stream_wanted(&s->maker, 7), 12);
	assert_int_equal(cofl_image_stream_wanted(&s->maker, METHODS - 1),
			 UINT32_MAX);
	cofl_image_stream_announce(&s->maker, 7, 34);
	assert_int_equal(cofl_image_stream_instructions(&s->program, 7), 34);
	assert_int_equal(cofl_image_stream_instructions(&s->program, 8), 0);
	/* The maker may have more methods than the program. */
	cofl_image_stream_announce(&s->maker, METHODS, 1);
	assert_int_equal(cofl_image_stream_wanted(&s->maker, METHODS), 0);
}

static void the_state_goes_across(void **state)
{
	struct sides *s = *state;

	assert_int_equal(cofl_image_stream_state(&s->program),
			 COFL_IMAGE_STREAM_NOT_BEGUN);
	cofl_image_stream_enter(&s->maker, COFL_IMAGE_STREAM_COMING);
	assert_int_equal(cofl_image_stream_state(&s->program),
			 COFL_IMAGE_STREAM_COMING);
}

static void a_piece_that_does_not_fit_is_refused(void **state)
{
	struct sides *s = *state;
	static char big[1 << 18];
	const void *piece;
	size_t n, put = 0;

	while (cofl_image_stream_put(&s->maker, big, sizeof(big)))
		put++;
	assert_int_equal(put, 3);	/* lengths take bytes too */
	assert_false(cofl_image_stream_put(&s->maker, big, SIZE_MAX));
	assert_true(cofl_image_stream_put(&s->maker, big, 100));
	for (size_t i = 0; i < put; i++)
		assert_true(cofl_image_stream_next(&s->program, &piece, &n));
	assert_true(cofl_image_stream_next(&s->program, &piece, &n));
	assert_int_equal(n, 100);
	assert_false(cofl_image_stream_next(&s->program, &piece, &n));
}

static void a_maker_that_dies_leaves_what_it_had_put(void **state)
{
	struct sides *s = *state;
	const void *piece;
	int status;
	pid_t pid;
	size_t n;

	pid = fork();
	if (pid == 0) {
		cofl_image_stream_put(&s->maker, "whole", 6);
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(cofl_image_stream_next(&s->program, &piece, &n));
	assert_string_equal(piece, "whole");
	assert_false(cofl_image_stream_next(&s->program, &piece, &n));
}

/* Lengths that reach past the end of the pieces. */
static void nonsense_is_no_piece(void **state)
{
	static const uint64_t lies[] = {
		0, 65, 1 << 20, UINT64_MAX, UINT64_MAX - 63, UINT64_MAX / 2,
	};
	struct sides *s = *state;
	const void *piece;
	size_t n;

	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		uint64_t at = s->maker.at;

		assert_true(cofl_image_stream_put(&s->maker, "", 64));
		memcpy((char *)s->maker.head + at, &lies[i], sizeof(lies[i]));
		assert_false(cofl_image_stream_next(&s->program, &piece, &n));
		s->program.at = s->maker.at;
	}
}

static void other_files_are_none(void **state)
{
	struct cofl_image_stream d;
	int fd = memfd_create("other", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int pipes[2];

	(void)state;
	assert_true(fd >= 0);
	assert_false(cofl_image_stream_open(&d, fd));	/* empty */
	assert_int_equal(ftruncate(fd, 1 << 16), 0);
	assert_false(cofl_image_stream_open(&d, fd));	/* may shrink */
	close(fd);
	assert_int_equal(pipe(pipes), 0);
	assert_false(cofl_image_stream_open(&d, pipes[0]));
	close(pipes[0]);
	close(pipes[1]);
	assert_false(cofl_image_stream_open(&d, -1));
}

static void past_the_limit_of_files_there_is_none(void **state)
{
	struct rlimit limit, low;
	struct cofl_image_stream d;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	low = limit;
	low.rlim_cur = 1 << 16;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	assert_int_equal(cofl_image_stream_new(&d, METHODS, 1 << 20), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	cofl_image_stream_close(&d);
}

int main(void)
{
#define WITH_SIDES(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
	const struct CMUnitTest tests[] = {
		WITH_SIDES(pieces_come_in_order_and_once),
		WITH_SIDES(wishes_and_sizes_go_across),
		WITH_SIDES(the_state_goes_across),
		WITH_SIDES(a_piece_that_does_not_fit_is_refused),
		WITH_SIDES(a_maker_that_dies_leaves_what_it_had_put),
		WITH_SIDES(nonsense_is_no_piece),
		cmocka_unit_test(other_files_are_none),
		cmocka_unit_test(past_the_limit_of_files_there_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
