/*
 * test_version_cache_write.c - records reach the file when another process has
 * it, when one dies, and when the disk is full
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/child.h"
#include "version_cache.h"
#include "hosts/llvm/support/cache_dir.h"
#include "hosts/llvm/version_cache/version_cache_write.h"

#define PLENTY (UINT64_C(1) << 30)

static char home[] = "/tmp/cof-test-version-cache.XXXXXX";
static char large[300 << 10];	/* an object */

static int setup(void **state)
{
	(void)state;
	memset(large, 'x', sizeof(large));
	if (mkdtemp(home) == NULL || setenv("XDG_CACHE_HOME", home, 1) != 0)
		return -1;
	cofl_cache_dir_begin();
	return 0;
}

static void in_dir(char path[512], const char *name)
{
	snprintf(path, 512, "%s/cof%s%s", home, *name ? "/" : "", name);
}

static int teardown(void **state)
{
	char path[512];
	struct dirent *e;
	DIR *d;

	(void)state;
	in_dir(path, "");
	d = opendir(path);
	while (d != NULL && (e = readdir(d)) != NULL) {
		in_dir(path, e->d_name);
		unlink(path);
	}
	if (d != NULL)
		closedir(d);
	in_dir(path, "");
	rmdir(path);
	return rmdir(home);
}

/* Another file for each test. */
static int new_key(void **state)
{
	(void)state;
	cache_key[0]++;
	return 0;
}

static void file_path(char path[COFL_CACHE_DIR_PATH])
{
	assert_true(cofl_cache_dir_path(cache_key, ".ver", path));
}

static uint64_t file_size(void)
{
	char path[COFL_CACHE_DIR_PATH];
	struct stat st;

	file_path(path);
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Frees the record. */
static bool add(struct cofl_version_cache_header *h, uint64_t max_bytes)
{
	bool added = cofl_version_cache_write_add(cache_key, h, max_bytes,
						  true);

	free(h);
	return added;
}

static bool add_text(uint32_t method, const char *object)
{
	return add(cache_built(method, "p", object, strlen(object)), PLENTY);
}

static bool add_large(uint32_t method, const char *profile)
{
	return add(cache_built(method, profile, large, sizeof(large)), PLENTY);
}

/* The file's contents. */
struct reading {
	struct cofl_version_cache cache;
	void             *bytes;
	size_t            n;
};

static struct reading read_now(void)
{
	struct reading r = { .n = 0 };

	r.bytes = cofl_version_cache_read(cache_key, &r.n);
	assert_true(cofl_version_cache_open(&r.cache, r.bytes, r.n, cache_key));
	return r;
}

static void read_end(struct reading *r)
{
	cofl_version_cache_close(&r->cache);
	if (r->bytes)
		munmap(r->bytes, r->n);
}

static void what_was_added_is_there(void **state)
{
	struct reading r;

	(void)state;
	assert_true(add_text(3, "three"));
	assert_true(add_text(4, "four"));
	r = read_now();
	cache_holds(&r.cache, 3, "p", "three");
	cache_holds(&r.cache, 4, "p", "four");
	read_end(&r);
}

static void without_a_file_there_is_nothing(void **state)
{
	struct reading r;

	(void)state;
	r = read_now();
	assert_null(r.bytes);
	assert_int_equal(r.cache.n, 0);
	read_end(&r);
}

/* Any part of a record at the end, as after a kill in the middle of a write. */
static void behind_a_part_of_a_record_comes_a_whole_one(void **state)
{
	/* Without padding, since zeros may be missing there. */
	struct cofl_version_cache_header *h = cache_built(9, "p", large,
						  COFL_VERSION_CACHE_ALIGN);
	char path[COFL_CACHE_DIR_PATH];

	(void)state;
	file_path(path);
	for (size_t n = 0; n < h->bytes; n++) {
		struct reading r;
		FILE *f;

		unlink(path);
		assert_true(add_text(3, "three"));
		f = fopen(path, "ab");
		assert_non_null(f);
		assert_int_equal(fwrite(h, 1, n, f), n);
		assert_int_equal(fclose(f), 0);
		assert_true(add_text(4, "four"));
		r = read_now();
		assert_int_equal(r.cache.n, 2);
		cache_holds(&r.cache, 3, "p", "three");
		cache_holds(&r.cache, 4, "p", "four");
		read_end(&r);
	}
	free(h);
}

/* Processes add records and are killed at any point. */
static void kills_cost_no_more_than_what_was_being_added(void **state)
{
	struct reading r;

	(void)state;
	assert_true(add_text(1, "before"));
	for (int i = 0; i < 15; i++) {
		int ready[2];
		pid_t pid;
		char c;

		assert_int_equal(pipe(ready), 0);
		pid = fork();
		if (pid == 0) {
			for (uint32_t k = 0;; k++) {
				add_large(10 + k % 5, k & 1 ? "p" : "q");
				if (k == (uint32_t)i &&
				    write(ready[1], "", 1) < 0)
					_exit(1);
			}
		}
		assert_true(pid > 0);
		assert_int_equal(read(ready[0], &c, 1), 1);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		close(ready[0]);
		close(ready[1]);
	}
	assert_true(add_text(2, "after"));
	r = read_now();
	cache_holds(&r.cache, 1, "p", "before");
	cache_holds(&r.cache, 2, "p", "after");
	read_end(&r);
}

static void of_several_writers_none_loses_a_record(void **state)
{
	enum { WRITERS = 3, RECORDS = 20 };
	pid_t pid[WRITERS];
	struct reading r;

	(void)state;
	for (uint32_t w = 0; w < WRITERS; w++) {
		pid[w] = fork();
		if (pid[w] == 0) {
			bool all = true;

			for (uint32_t i = 0; i < RECORDS; i++) {
				all &= add_text(w * 1000 + i, "small");
				all &= add_large(w * 1000 + 500, i & 1 ? "p" :
									 "q");
			}
			_exit(!all);
		}
	}
	for (uint32_t w = 0; w < WRITERS; w++)
		assert_int_equal(exit_of(pid[w]), 0);
	r = read_now();
	for (uint32_t w = 0; w < WRITERS; w++)
		for (uint32_t i = 0; i < RECORDS; i++)
			cache_holds(&r.cache, w * 1000 + i, "p", "small");
	read_end(&r);
}

static void a_file_that_is_mostly_dead_is_written_anew(void **state)
{
	uint64_t most = 0;
	struct reading r;

	(void)state;
	assert_true(add_text(1, "lives on"));
	for (int i = 0; i < 20; i++) {
		assert_true(add_large(3, i & 1 ? "p" : "q"));
		if (file_size() > most)
			most = file_size();
	}
	assert_true(most < 10 * sizeof(large));
	r = read_now();
	assert_true(r.cache.live >= r.n / 4);
	cache_holds(&r.cache, 1, "p", "lives on");
	for (int i = 0; i < 2; i++) {
		const char *of = i ? "p" : "q";

		assert_memory_equal(cofl_version_cache_profile(
			cache_find(&r.cache, 3, of)->built), of, 1);
	}
	read_end(&r);
}

static void beyond_its_part_of_the_folder_nothing_is_added(void **state)
{
	(void)state;
	assert_true(add(cache_built(1, "p", large, sizeof(large)),
			8 * sizeof(large)));
	assert_false(add(cache_built(2, "p", large, sizeof(large)),
			 8 * sizeof(large)));
	assert_true(file_size() <= 2 * sizeof(large));
}

static void without_room_the_file_is_as_it_was(void **state)
{
	uint64_t size;
	pid_t pid;
	struct reading r;

	(void)state;
	assert_true(add_text(3, "three"));
	size = file_size();
	pid = fork();
	if (pid == 0) {
		struct rlimit limit = { size + 1000, size + 1000 };

		signal(SIGXFSZ, SIG_IGN);
		_exit(setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
		      add_large(4, "p"));
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(file_size(), size);
	r = read_now();
	cache_holds(&r.cache, 3, "p", "three");
	read_end(&r);
}

static void who_will_not_wait_is_told(void **state)
{
	struct cofl_version_cache_header *h = cache_built(4, "p", "four", 4);
	char path[COFL_CACHE_DIR_PATH];
	int fd;

	(void)state;
	assert_true(add_text(3, "three"));
	file_path(path);
	fd = open(path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_false(cofl_version_cache_write_add(cache_key, h, PLENTY, false));
	close(fd);
	assert_true(cofl_version_cache_write_add(cache_key, h, PLENTY, false));
	free(h);
}

static void a_file_that_others_can_write_is_not_believed(void **state)
{
	char path[COFL_CACHE_DIR_PATH], elsewhere[512];
	struct reading r;

	(void)state;
	assert_true(add_text(3, "three"));
	file_path(path);
	assert_int_equal(chmod(path, 0620), 0);
	r = read_now();
	assert_null(r.bytes);
	read_end(&r);
	assert_false(add_text(4, "four"));
	/* A link is not trusted either. */
	assert_int_equal(chmod(path, 0600), 0);
	in_dir(elsewhere, "elsewhere");
	assert_int_equal(rename(path, elsewhere), 0);
	assert_int_equal(symlink(elsewhere, path), 0);
	r = read_now();
	assert_null(r.bytes);
	read_end(&r);
	assert_false(add_text(4, "four"));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, new_key)
	const struct CMUnitTest tests[] = {
		TEST(what_was_added_is_there),
		TEST(without_a_file_there_is_nothing),
		TEST(behind_a_part_of_a_record_comes_a_whole_one),
		TEST(kills_cost_no_more_than_what_was_being_added),
		TEST(of_several_writers_none_loses_a_record),
		TEST(a_file_that_is_mostly_dead_is_written_anew),
		TEST(beyond_its_part_of_the_folder_nothing_is_added),
		TEST(without_room_the_file_is_as_it_was),
		TEST(who_will_not_wait_is_told),
		TEST(a_file_that_others_can_write_is_not_believed),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
