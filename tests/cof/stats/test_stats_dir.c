/*
 * test_stats_dir.c - a stats file lies where no other user can reach it
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "stats_files.h"

/* -- Directories ----------------------------------------------------------- */

static void a_missing_directory_is_made_for_the_user_alone(void **state)
{
	char sub[100];
	struct stat st;
	int fd;

	(void)state;
	snprintf(sub, sizeof(sub), "%s/cof", stats_dir);
	assert_int_equal(cof_stats_dir_open(sub, geteuid(), false, why), -1);
	fd = cof_stats_dir_open(sub, geteuid(), true, why);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	close(fd);
}

static void a_directory_open_to_others_is_refused(void **state)
{
	(void)state;
	chmod(stats_dir, 0750);
	assert_int_equal(cof_stats_dir_open(stats_dir, geteuid(), true, why),
			 -1);
	assert_non_null(strstr(why, "open to others (mode 750)"));
}

static void a_directory_of_another_user_is_refused(void **state)
{
	(void)state;
	assert_int_equal(cof_stats_dir_open(stats_dir, geteuid() + 1, true,
					    why), -1);
	assert_non_null(strstr(why, "another user"));
}

static void a_link_to_a_directory_is_refused(void **state)
{
	char link[100], target[100];

	(void)state;
	snprintf(link, sizeof(link), "%s/link", stats_dir);
	snprintf(target, sizeof(target), "%s/target", stats_dir);
	assert_int_equal(mkdir(target, 0700), 0);
	assert_int_equal(symlink(target, link), 0);
	assert_int_equal(cof_stats_dir_open(link, geteuid(), true, why), -1);
}

static void a_directory_on_disk_is_refused_and_none_is_left_there(void **state)
{
	char dir[] = "/var/tmp/cof-test.XXXXXX", sub[64];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(sub, sizeof(sub), "%s/cof", dir);
	if (cof_stats_dir_open(dir, geteuid(), true, why) >= 0) {
		rmdir(dir);
		skip();		/* /var/tmp is in memory here */
	}
	assert_non_null(strstr(why, "memory file system"));
	assert_int_equal(cof_stats_dir_open(sub, geteuid(), true, why), -1);
	assert_int_equal(rmdir(sub), -1);
	assert_int_equal(errno, ENOENT);
	rmdir(dir);
}

static void places_follow_the_environment(void **state)
{
	char dir[COF_STATS_DIR_MAX], want[64];

	(void)state;
	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	assert_true(cof_stats_dir_place(0, 7, dir));
	assert_string_equal(dir, "/run/user/7/cof");
	assert_true(cof_stats_dir_place(1, 7, dir));
	assert_string_equal(dir, "/dev/shm/cof-7");
	setenv("XDG_RUNTIME_DIR", "relative", 1);
	assert_false(cof_stats_dir_place(0, 7, dir));
	unsetenv("XDG_RUNTIME_DIR");
	assert_false(cof_stats_dir_place(0, 7, dir));
	assert_true(cof_stats_dir_place(2, 4294967294u, dir));
	snprintf(want, sizeof(want), "/run/user/4294967294/cof");
	assert_string_equal(dir, want);
	assert_false(cof_stats_dir_place(COF_STATS_DIR_READ, 7, dir));
}

/* -- Names ----------------------------------------------------------------- */

static void only_a_pid_with_or_without_a_number_is_a_name(void **state)
{
	static const char *const bad[] = {
		"", "0", "-1", "+1", " 1", "1a", "1.", "1.0", "1.x", ".1",
		"1.2.3", "1..2", "2147483648", "99999999999999999999", "1 ",
		"1.11111111111111111111111", "..", "01",
	};
	pid_t pid;

	(void)state;
	assert_true(cof_stats_dir_is_name("1", &pid));
	assert_int_equal(pid, 1);
	assert_true(cof_stats_dir_is_name("2147483647.99", &pid));
	assert_int_equal(pid, 2147483647);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(cof_stats_dir_is_name(bad[i], &pid));
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, stats_dir_make,		\
					stats_dir_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_missing_directory_is_made_for_the_user_alone),
		T(a_directory_open_to_others_is_refused),
		T(a_directory_of_another_user_is_refused),
		T(a_link_to_a_directory_is_refused),
		T(a_directory_on_disk_is_refused_and_none_is_left_there),
		T(places_follow_the_environment),
		T(only_a_pid_with_or_without_a_number_is_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
