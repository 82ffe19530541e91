/*
 * test_image_cache.c - an image is read as it was stored, or not at all
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "image/image_cache.h"
#include "program/bitcode_file.h"
#include "support/cache_dir.h"

#define PLENTY (UINT64_C(1) << 30)

static char home[] = "/tmp/cof-test-cache.XXXXXX";
static uint8_t key[COFL_HASH_BYTES];

static int setup(void **state)
{
	(void)state;
	if (mkdtemp(home) == NULL || setenv("XDG_CACHE_HOME", home, 1) != 0)
		return -1;
	cofl_cache_dir_begin();
	return 0;
}

/* Another image for each test. */
static int new_key(void **state)
{
	(void)state;
	key[0]++;
	return 0;
}

static void in_dir(char path[256], const char *name)
{
	snprintf(path, 256, "%s/cof%s%s", home, *name ? "/" : "", name);
}

static unsigned each_file(void (*fn)(const char *path))
{
	char path[256 + 300], dir[256];
	struct dirent *e;
	unsigned n = 0;
	DIR *d;

	in_dir(dir, "");
	d = opendir(dir);
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (*e->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		if (fn != NULL)
			fn(path);
		n++;
	}
	if (d != NULL)
		closedir(d);
	return n;
}

static void remove_file(const char *path)
{
	unlink(path);
}

static int teardown(void **state)
{
	char path[256];

	(void)state;
	each_file(remove_file);
	in_dir(path, "");
	rmdir(path);
	return rmdir(home);
}

static void *an_image(size_t object, size_t *n)
{
	char *big = calloc(1, object + 1);
	struct cofl_image_piece piece = { 0, (uint32_t)object };
	struct cofl_image_parts parts = {
		.part = { [COFL_IMAGE_NAMES] = "", [COFL_IMAGE_PIECES] = &piece,
			  [COFL_IMAGE_OBJECTS] = big },
		.n = { [COFL_IMAGE_NAMES] = 1, [COFL_IMAGE_PIECES] = 1,
		       [COFL_IMAGE_OBJECTS] = object },
	};
	void *bytes;

	assert_non_null(big);
	bytes = cofl_image_make(&parts, key, n);
	assert_non_null(bytes);
	free(big);
	return bytes;
}

static bool put(size_t object, uint64_t max_bytes)
{
	size_t n;
	void *bytes = an_image(object, &n);
	int fd = cofl_image_cache_begin(key, false);
	bool done = fd >= 0 &&
		    cofl_image_cache_commit(key, fd, bytes, n, max_bytes);

	free(bytes);
	return done;
}

static bool is_there(void)
{
	struct cofl_image image;
	bool there = cofl_image_cache_find(key, &image);

	cofl_image_cache_close(&image);
	return there;
}

static void what_is_put_is_found(void **state)
{
	struct cofl_image image;

	(void)state;
	assert_false(cofl_image_cache_has(key));
	assert_true(put(100, PLENTY));
	assert_true(cofl_image_cache_has(key));
	assert_true(cofl_image_cache_find(key, &image));
	assert_int_equal(cofl_image_n(&image, COFL_IMAGE_OBJECTS), 100);
	cofl_image_cache_close(&image);
	assert_null(image.bytes);
}

static void only_one_makes_an_image_at_a_time(void **state)
{
	int fd = cofl_image_cache_begin(key, false);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(cofl_image_cache_begin(key, false), -1);
	cofl_image_cache_abandon(key, fd);
	assert_true(put(10, PLENTY));
}

static void who_died_at_it_is_in_nobodys_way(void **state)
{
	int fd = cofl_image_cache_begin(key, false);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "half", 4), 4);
	close(fd);		/* as the kernel does at exit */
	assert_false(is_there());
	assert_true(put(10, PLENTY));
	assert_true(is_there());
}

/* The note of a failure, and what failed() says of it. */
static void what_cannot_be_made_is_not_tried_for_a_day(void **state)
{
	const struct timespec yesterday[2] = {
		{ .tv_sec = time(NULL) - 25 * 60 * 60 },
		{ .tv_sec = time(NULL) - 25 * 60 * 60 },
	};
	char path[256 + 64], dir[256];
	int fd = cofl_image_cache_begin(key, false);

	(void)state;
	assert_true(fd >= 0);
	assert_false(cofl_image_cache_failed(key));
	cofl_image_cache_note(key, COFL_IMAGE_FAILED);
	assert_false(cofl_image_cache_failed(key));	/* being made */
	cofl_image_cache_abandon(key, fd);
	assert_true(cofl_image_cache_failed(key));
	in_dir(dir, "");
	snprintf(path, sizeof(path), "%s/", dir);
	for (size_t i = 0; i < sizeof(key); i++)
		sprintf(path + strlen(path), "%02x", key[i]);
	strcat(path, ".not");
	assert_int_equal(utimensat(AT_FDCWD, path, yesterday, 0), 0);
	assert_false(cofl_image_cache_failed(key));
	cofl_image_cache_note(key, COFL_IMAGE_FAILED);
	assert_true(cofl_image_cache_failed(key));
	cofl_image_cache_note(key, COFL_IMAGE_MADE);
	assert_false(cofl_image_cache_failed(key));
}

/* A maker that is killed leaves its note and its file. */
static void a_maker_that_is_killed_may_try_three_times(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		int fd = cofl_image_cache_begin(key, false);

		assert_true(fd >= 0);
		assert_false(cofl_image_cache_failed(key));
		cofl_image_cache_note(key, COFL_IMAGE_TRIES);
		close(fd);
	}
	assert_true(cofl_image_cache_failed(key));
	cofl_image_cache_note(key, COFL_IMAGE_MADE);
	assert_false(cofl_image_cache_failed(key));
}

/* The kernel's answers, for images. */
static int read_error;		/* 0: none */
static uint64_t bytes_read;

ssize_t read(int fd, void *to, size_t n)
{
	ssize_t got;

	if (read_error != 0) {
		errno = read_error;
		return -1;
	}
	got = syscall(SYS_read, fd, to, n);
	bytes_read += got > 0 ? (uint64_t)got : 0;
	return got;
}

static void what_cannot_be_read_now_stays(void **state)
{
	(void)state;
	each_file(remove_file);
	assert_true(put(1000, PLENTY));
	read_error = EIO;
	assert_false(is_there());
	read_error = 0;
	assert_int_equal(each_file(NULL), 1);
	bytes_read = 0;
	assert_true(is_there());
	assert_true(bytes_read > 1000);
}

static void what_killed_makers_left_goes_with_the_next(void **state)
{
	uint8_t living[COFL_HASH_BYTES];
	int killed = cofl_image_cache_begin(key, false), other, fd;

	each_file(remove_file);
	close(killed);
	killed = cofl_image_cache_begin(key, false);
	memcpy(living, key, sizeof(key));
	living[1]++;
	other = cofl_image_cache_begin(living, false);
	close(killed);		/* with its process */
	assert_int_equal(each_file(NULL), 2);
	new_key(state);
	fd = cofl_image_cache_begin(key, false);
	assert_int_equal(each_file(NULL), 2);	/* its own, and the living's */
	cofl_image_cache_abandon(key, fd);
	cofl_image_cache_abandon(living, other);
	assert_int_equal(each_file(NULL), 0);
}

static void grow(const char *path)
{
	assert_int_equal(truncate(path, (off_t)2 << 30), 0);
}

/* Nothing is read but the header. */
static void what_has_another_size_than_it_says_is_removed_unread(void **state)
{
	(void)state;
	each_file(remove_file);
	assert_true(put(1000, PLENTY));
	each_file(grow);
	bytes_read = 0;
	assert_false(is_there());
	assert_int_equal(bytes_read, 0);
	assert_int_equal(each_file(NULL), 0);
}

static void change_mode(const char *path)
{
	chmod(path, 0620);
}

static void what_others_can_write_is_not_believed(void **state)
{
	char path[256];

	(void)state;
	each_file(remove_file);
	assert_true(put(10, PLENTY));
	each_file(change_mode);
	assert_false(is_there());
	assert_int_equal(each_file(NULL), 0);	/* it is gone */

	assert_true(put(10, PLENTY));
	in_dir(path, "");
	chmod(path, 0777);
	assert_false(is_there());
	assert_int_equal(cofl_image_cache_begin(key, false), -1);
	chmod(path, 0700);
	assert_true(is_there());
}

static void damage(const char *path)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0 && pwrite(fd, "!", 1, 300) == 1);
	close(fd);
}

static void what_is_damaged_is_removed(void **state)
{
	(void)state;
	each_file(remove_file);
	assert_true(put(1000, PLENTY));
	each_file(damage);
	assert_false(is_there());
	assert_int_equal(each_file(NULL), 0);
}

static void grow_old(const char *path)
{
	const struct timespec then[2] = { { 1000, 0 }, { 1000, 0 } };

	utimensat(AT_FDCWD, path, then, 0);
}

static void the_one_not_used_for_longest_goes_first(void **state)
{
	uint8_t first[COFL_HASH_BYTES], second[COFL_HASH_BYTES];

	each_file(remove_file);
	assert_true(put(5000, PLENTY));
	memcpy(first, key, sizeof(key));
	new_key(state);
	assert_true(put(5000, PLENTY));
	memcpy(second, key, sizeof(key));
	each_file(grow_old);
	memcpy(key, first, sizeof(key));
	assert_true(is_there());	/* its use renewed its date */
	memcpy(key, second, sizeof(key));
	key[0]++;
	assert_true(put(5000, 12000));	/* two fit */
	assert_true(is_there());
	assert_true(cofl_image_cache_has(first));
	assert_false(cofl_image_cache_has(second));
}

static void an_image_above_the_limit_is_not_stored(void **state)
{
	(void)state;
	each_file(remove_file);
	assert_false(put(5000, 4000));
	assert_int_equal(each_file(NULL), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, new_key)
	const struct CMUnitTest tests[] = {
		TEST(what_is_put_is_found),
		TEST(only_one_makes_an_image_at_a_time),
		TEST(who_died_at_it_is_in_nobodys_way),
		TEST(what_cannot_be_made_is_not_tried_for_a_day),
		TEST(a_maker_that_is_killed_may_try_three_times),
		TEST(what_cannot_be_read_now_stays),
		TEST(what_killed_makers_left_goes_with_the_next),
		TEST(what_has_another_size_than_it_says_is_removed_unread),
		TEST(what_others_can_write_is_not_believed),
		TEST(what_is_damaged_is_removed),
		TEST(the_one_not_used_for_longest_goes_first),
		TEST(an_image_above_the_limit_is_not_stored),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
