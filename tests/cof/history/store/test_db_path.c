/*
 * test_db_path.c - where the history's file is, and where it must not be
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history/store/sqlite.h"
#include "../history_store.h"
#include "tests/support/child.h"

static void links_and_open_directories_are_refused(void **state)
{
	char dir[80], other[120];

	(void)state;
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	snprintf(dir, sizeof(dir), "%s/cof", history_dir);
	assert_int_equal(chmod(dir, 0777), 0);
	assert_int_equal(load(1), COF_HISTORY_REFUSED);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_REFUSED);
	assert_int_equal(chmod(dir, 0700), 0);
	assert_int_equal(chmod(history_path, 0666), 0);
	assert_int_equal(load(1), COF_HISTORY_REFUSED);
	assert_int_equal(chmod(history_path, 0600), 0);
	assert_int_equal(load(1), COF_HISTORY_OK);

	snprintf(other, sizeof(other), "%s/elsewhere", history_dir);
	assert_int_equal(rename(history_path, other), 0);
	assert_int_equal(symlink(other, history_path), 0);
	assert_int_equal(load(1), COF_HISTORY_REFUSED);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_REFUSED);
	assert_int_equal(unlink(history_path), 0);
	assert_int_equal(mkfifo(history_path, 0600), 0);
	assert_int_equal(load(1), COF_HISTORY_REFUSED);
	assert_int_equal(unlink(history_path), 0);
	assert_int_equal(mkdir(history_path, 0700), 0);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_REFUSED);
}

/* Root with another user's HOME: that user could not write there any more. */
static void root_makes_nothing_in_a_users_folder(void **state)
{
	char home[90], inside[160];

	(void)state;
	snprintf(home, sizeof(home), "%s/home", history_dir);
	snprintf(inside, sizeof(inside), "%s/.local", home);
	assert_int_equal(mkdir(home, 0755), 0);
	if (geteuid() != 0 || chown(home, 1000, 1000) != 0) {
		rmdir(home);
		skip();
	}
	snprintf(history_path, sizeof(history_path),
		 "%s/.local/share/cof/history.db", home);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_REFUSED);
	assert_int_not_equal(access(inside, F_OK), 0);
	assert_int_equal(chown(home, 0, 0), 0);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
}

/* SQLite opens these by itself, and would wait for ever at a FIFO. */
static void what_lies_beside_must_be_plain_files(void **state)
{
	static const char *const suffixes[] = { "-journal", "-wal", "-shm" };
	char path[200];

	(void)state;
	alarm(120);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(save(1, 1 + i, 1), COF_HISTORY_OK);
		snprintf(path, sizeof(path), "%s%s", history_path,
			 suffixes[i]);
		assert_int_equal(mkfifo(path, 0600), 0);
		assert_int_equal(load(1), COF_HISTORY_REFUSED);
		assert_int_equal(save(1, 9, 1), COF_HISTORY_REFUSED);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(symlink("/dev/zero", path), 0);
		assert_int_equal(load(1), COF_HISTORY_REFUSED);
		assert_int_equal(unlink(path), 0);
	}
	alarm(0);
}

static void nothing_is_left_beside_the_file(void **state)
{
	(void)state;
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	assert_int_equal(save(2, 1, 1), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_false(exists("-journal"));
	assert_false(exists("-wal"));
	assert_false(exists("-shm"));
	assert_false(exists(".2"));
}

static void a_link_to_the_directory_is_fine(void **state)
{
	char dir[80], link[100];

	(void)state;
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	snprintf(dir, sizeof(dir), "%s/cof", history_dir);
	snprintf(link, sizeof(link), "%s/link", history_dir);
	assert_int_equal(symlink(dir, link), 0);
	snprintf(history_path, sizeof(history_path), "%s/history.db", link);
	assert_int_equal(load(1), COF_HISTORY_OK);
}

static void another_users_file_is_refused(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	assert_int_equal(chown(history_path, 65534, 65534), 0);
	assert_int_equal(load(1), COF_HISTORY_REFUSED);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_REFUSED);
}

static void where_nothing_can_be_written_nothing_is(void **state)
{
	(void)state;
	snprintf(history_path, sizeof(history_path), "/proc/self/x/history.db");
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_REFUSED);
	/* The same as a home that we may not write to, unless we are root. */
	history_path[0] = '\0';
	snprintf(history_path, sizeof(history_path), "%s/cof/history.db",
		 history_dir);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
}

static void options_and_environment_say_where_the_file_is(void **state)
{
	char path[COF_HISTORY_PATH], why[COF_HISTORY_WHY], cwd[300];

	(void)state;
	assert_true(cof_history_db_path("/a/b.db", path, why));
	assert_string_equal(path, "/a/b.db");
	assert_true(cof_history_db_path("b.db", path, why));
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_memory_equal(path, cwd, strlen(cwd));
	assert_string_equal(path + strlen(cwd), "/b.db");
	setenv("XDG_DATA_HOME", "/data", 1);
	assert_true(cof_history_db_path("", path, why));
	assert_string_equal(path, "/data/cof/history.db");
	setenv("XDG_DATA_HOME", "relative", 1);	/* XDG: to be ignored */
	setenv("HOME", "/home/me", 1);
	assert_true(cof_history_db_path("", path, why));
	assert_string_equal(path, "/home/me/.local/share/cof/history.db");
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	assert_false(cof_history_db_path("", path, why));
}

/* Saves in a child, so that nothing else meets the limit. */
static int save_with_room(rlim_t bytes)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct rlimit lim = { bytes, bytes };

		signal(SIGXFSZ, SIG_IGN);
		if (setrlimit(RLIMIT_FSIZE, &lim) != 0)
			_exit(99);
		_exit(save(1, 2, 200));
	}
	return exit_of(pid);
}

static void a_full_disk_loses_the_record_only(void **state)
{
	int failed = 0;

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	for (rlim_t room = 0; room < 200000; room += 3001) {
		int r = save_with_room(room);

		assert_true(r == COF_HISTORY_OK || r == COF_HISTORY_FAILED ||
			    r == COF_HISTORY_REFUSED);
		failed += r != COF_HISTORY_OK;
		assert_int_equal(load(1), COF_HISTORY_OK);
		assert_int_equal(past.n_runs, r == COF_HISTORY_OK ||
					      past.n_runs == 2 ? 2 : 1);
	}
	assert_true(failed > 10);
}

/* A daemon goes into a folder that is to have nothing else in it. */
static int save_after_chroot(const char *root)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (chroot(root) != 0)
			_exit(99);
		_exit(save(1, 1, 1));
	}
	return exit_of(pid);
}

static void after_chroot_nothing_is_made(void **state)
{
	char why[COF_HISTORY_WHY], path[COF_HISTORY_PATH];
	int same;

	(void)state;
	/* The path is asked for, and so it has a root. */
	assert_true(cof_history_db_path(history_path, path, why));
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	same = save_after_chroot("/");
	if (same == 99)
		skip();		/* no right to */
	assert_int_equal(same, COF_HISTORY_OK);
	assert_int_equal(save_after_chroot("/tmp"), COF_HISTORY_REFUSED);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(links_and_open_directories_are_refused),
		T(root_makes_nothing_in_a_users_folder),
		T(what_lies_beside_must_be_plain_files),
		T(nothing_is_left_beside_the_file),
		T(a_link_to_the_directory_is_fine),
		T(another_users_file_is_refused),
		T(where_nothing_can_be_written_nothing_is),
		T(options_and_environment_say_where_the_file_is),
		T(a_full_disk_loses_the_record_only),
		T(after_chroot_nothing_is_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
