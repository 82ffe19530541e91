/*
 * test_stats_files.c - a stats file is private, takes no other's name, and goes
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/units.h"
#include "stats/pidstat.h"
#include "stats_files.h"

static char name[COF_STATS_DIR_NAME];

/* -- Files ----------------------------------------------------------------- */

static void a_file_is_private_and_backed_by_memory(void **state)
{
	mode_t mask = umask(0777);
	int dir = open_dir(), fd;
	struct stat st;

	(void)state;
	fd = cof_stats_dir_create(dir, 40000, name, why);
	umask(mask);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, 40000);
	assert_true(st.st_blocks * 512 >= 40000);
	close(fd);
	close(dir);
}

static void a_name_that_is_taken_gets_a_number(void **state)
{
	char want[COF_STATS_DIR_NAME];
	int dir = open_dir();

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		int fd = cof_stats_dir_create(dir, 8, name, why);

		assert_true(fd >= 0);
		snprintf(want, sizeof(want), i ? "%d.%u" : "%d", (int)getpid(),
			 i);
		assert_string_equal(name, want);
		close(fd);
	}
	close(dir);
}

static void a_planted_link_is_not_followed(void **state)
{
	char target[100], first[COF_STATS_DIR_NAME];
	int dir = open_dir(), fd;

	(void)state;
	snprintf(target, sizeof(target), "%s/victim", stats_dir);
	snprintf(first, sizeof(first), "%d", (int)getpid());
	assert_int_equal(symlink(target, in_dir(first)), 0);
	fd = cof_stats_dir_create(dir, 8, name, why);
	assert_true(fd >= 0);
	assert_string_not_equal(name, first);
	assert_false(exists("victim"));
	close(fd);
	close(dir);
}

static void the_file_of_a_dead_process_with_our_pid_gives_way(void **state)
{
	int dir = open_dir(), fd;
	struct cof_pidstat self;
	char first[COF_STATS_DIR_NAME];

	(void)state;
	snprintf(first, sizeof(first), "%d", (int)getpid());
	assert_int_equal(cof_pidstat_read(0, &self), 0);

	/* The pid was used again. */
	put_file(first, getpid(), self.start_ticks - 1,
		 cof_pidstat_namespace());
	fd = cof_stats_dir_create(dir, 8, name, why);
	assert_true(fd >= 0);
	assert_string_equal(name, first);
	close(fd);

	/* The same process before it did exec: nothing maps the file now. */
	put_file(first, getpid(), self.start_ticks, cof_pidstat_namespace());
	fd = cof_stats_dir_create(dir, 8, name, why);
	assert_true(fd >= 0);
	assert_string_equal(name, first);
	close(fd);

	/* Of another pid namespace: it cannot tell. */
	put_file(first, getpid(), self.start_ticks - 1,
		 cof_pidstat_namespace() + 1);
	fd = cof_stats_dir_create(dir, 8, name, why);
	assert_true(fd >= 0);
	assert_string_not_equal(name, first);
	close(fd);
	close(dir);
}

/* Run in a child, so that limits and mounts end with it. */
static int in_child(int (*fn)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(fn());
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));		/* no SIGXFSZ, no SIGBUS */
	return WEXITSTATUS(status);
}

static int create_beyond_the_limit(void)
{
	struct rlimit lim = { 4096, 4096 };
	int dir = open_dir();

	setrlimit(RLIMIT_FSIZE, &lim);
	return cof_stats_dir_create(dir, 8192, name, why) == -1 &&
	       !exists(name) ? 0 : 1;
}

static void a_file_size_limit_is_an_error_and_not_a_signal(void **state)
{
	(void)state;
	assert_int_equal(in_child(create_beyond_the_limit), 0);
}

#define CANNOT 77
static int create_on_a_full_disk(void)
{
	int dir;

	if (unshare(CLONE_NEWNS) != 0 ||
	    mount("", "/", "", MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("t", stats_dir, "tmpfs", 0, "size=16k,mode=0700") != 0)
		return CANNOT;
	dir = open_dir();
	return cof_stats_dir_create(dir, 64 * 1024, name, why) == -1 &&
	       strstr(why, strerror(ENOSPC)) && !exists(name) ? 0 : 1;
}

static void a_full_disk_is_an_error_when_opening_and_not_later(void **state)
{
	int status = in_child(create_on_a_full_disk);

	(void)state;
	if (status == CANNOT)
		skip();
	assert_int_equal(status, 0);
}

/* -- Removal --------------------------------------------------------------- */

static void old_files_of_dead_processes_go_and_all_others_stay(void **state)
{
	uint64_t ns = cof_pidstat_namespace();
	pid_t dead = dead_pid();
	struct cof_pidstat self;
	int dir = open_dir(), fd;

	(void)state;
	assert_int_equal(cof_pidstat_read(0, &self), 0);
	put_file("11", dead, 5, ns);
	put_file("12", dead, 5, ns + 1);	/* another namespace */
	put_file("notes", dead, 5, ns);		/* no stats file's name */
	put_file("13", getpid(), self.start_ticks, ns);
	put_file("14", dead, 5, ns);
	fd = open(in_dir("14"), O_WRONLY);	/* another format */
	assert_int_equal(pwrite(fd, "\7", 1,
				offsetof(struct cof_stats_file_header,
					 format)), 1);
	close(fd);
	fd = open(in_dir("15"), O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, "not ours", 8), 8);
	close(fd);
	assert_int_equal(mkdir(in_dir("16"), 0700), 0);
	assert_int_equal(mkfifo(in_dir("17"), 0600), 0);

	cof_stats_dir_clean(dir, UINT64_MAX);	/* none is that old */
	assert_true(exists("11"));

	/* 13 is mapped by its process: alive. */
	fd = open(in_dir("13"), O_RDWR);
	void *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(p, MAP_FAILED);
	close(fd);
	cof_stats_dir_clean(dir, 0);
	assert_false(exists("11"));
	assert_true(exists("12"));
	assert_true(exists("notes"));
	assert_true(exists("13"));
	assert_true(exists("14"));
	assert_true(exists("15"));
	assert_true(exists("16"));
	assert_true(exists("17"));

	munmap(p, 4096);
	cof_stats_dir_clean(dir, 0);
	assert_false(exists("13"));
	close(dir);
}

static uint64_t now_ns;

static uint64_t at_now(clockid_t id)
{
	(void)id;
	return now_ns;
}

/* In another namespace of processes an hour later. */
static void what_was_stopped_in_order_goes_at_once(void **state)
{
	uint64_t ns = cof_pidstat_namespace();
	int dir = open_dir(), fd;
	uint32_t one = 1;

	(void)state;
	put_file("31", dead_pid(), 5, ns);
	put_file("32", getpid(), 5, ns + 1);	/* cannot tell */
	for (int i = 31; i <= 32; i++) {
		fd = open(in_dir(i == 31 ? "31" : "32"), O_WRONLY);
		assert_int_equal(pwrite(fd, &one, sizeof(one),
			offsetof(struct cof_stats_file_header, stopped)),
			sizeof(one));
		close(fd);
	}
	now_ns = 600 * COF_S_NS;
	cof_clock_injected = at_now;
	cof_stats_dir_clean(dir, UINT64_MAX);
	assert_false(exists("31"));
	assert_true(exists("32"));
	now_ns = 7200 * COF_S_NS;
	cof_stats_dir_clean(dir, UINT64_MAX);
	cof_clock_injected = NULL;
	assert_false(exists("32"));
	close(dir);
}

static void of_many_files_of_dead_processes_a_few_stay(void **state)
{
	uint64_t ns = cof_pidstat_namespace();
	pid_t dead = dead_pid();
	int dir = open_dir(), left = 0;
	char n[8];

	(void)state;
	for (int i = 0; i < 100; i++) {
		snprintf(n, sizeof(n), "%d", 100 + i);
		put_file(n, dead, 5, ns);
	}
	cof_stats_dir_clean(dir, UINT64_MAX);
	for (int i = 0; i < 100; i++) {
		snprintf(n, sizeof(n), "%d", 100 + i);
		left += exists(n);
	}
	assert_in_range(left, 1, 20);
	close(dir);
}

static void a_file_that_was_never_finished_goes_when_it_is_old(void **state)
{
	struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	static const struct cof_stats_file_header empty;
	int dir = open_dir(), fd;

	(void)state;
	fd = open(in_dir("21"), O_WRONLY | O_CREAT, 0600);
	assert_int_equal(write(fd, &empty, sizeof(empty)), sizeof(empty));
	cof_stats_dir_clean(dir, DAY_NS);
	assert_true(exists("21"));
	assert_int_equal(futimens(fd, old), 0);
	close(fd);
	cof_stats_dir_clean(dir, DAY_NS);
	assert_false(exists("21"));
	close(dir);
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, stats_dir_make,		\
					stats_dir_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_file_is_private_and_backed_by_memory),
		T(a_name_that_is_taken_gets_a_number),
		T(a_planted_link_is_not_followed),
		T(the_file_of_a_dead_process_with_our_pid_gives_way),
		T(a_file_size_limit_is_an_error_and_not_a_signal),
		T(a_full_disk_is_an_error_when_opening_and_not_later),
		T(old_files_of_dead_processes_go_and_all_others_stay),
		T(what_was_stopped_in_order_goes_at_once),
		T(of_many_files_of_dead_processes_a_few_stay),
		T(a_file_that_was_never_finished_goes_when_it_is_old),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
