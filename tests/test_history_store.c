/*
 * test_history_store.c - what is saved comes back; what is damaged does not hurt
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "history.h"
#include "history/sqlite.h"

static struct cof_history_past past;

static int setup(void **state)
{
	(void)state;
	history_dir_make();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_history_past_free(&past);
	history_dir_remove();
	return 0;
}

static enum cof_history_result load(unsigned program)
{
	cof_history_past_free(&past);
	return history_load(history_path, program, &past);
}

static enum cof_history_result save(unsigned program, int64_t number,
				    uint32_t methods)
{
	return history_save(history_path,
			    history_record(program, number, methods),
			    &history_limits);
}

/* Behind the store's back. */
static void sql(const char *text)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, text, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static bool exists(const char *suffix)
{
	char path[200];

	snprintf(path, sizeof(path), "%s%s", history_path, suffix);
	return access(path, F_OK) == 0;
}

/* -- What is kept ----------------------------------------------------------- */

static void nothing_is_known_before_the_first_record(void **state)
{
	(void)state;
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
	assert_false(exists(""));	/* asking makes nothing */
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	assert_int_equal(load(2), COF_HISTORY_NOTHING);
}

static void a_record_comes_back_as_it_was(void **state)
{
	struct cof_history_record r = history_record(1, 1, 5);

	(void)state;
	r.run.measured_ns = -5;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	r = history_record(1, 1, 5);
	r.run.measured_ns = -5;
	assert_string_equal(past.name, r.name);
	assert_string_equal(past.host, r.host);
	assert_int_equal(past.n_runs, 1);
	assert_memory_equal(&past.run[0], &r.run, sizeof(r.run));
	assert_int_equal(past.n_methods, 5);
	assert_int_equal(past.samples, r.run.counted);
	for (uint32_t i = 0; i < 5; i++) {
		struct cof_history_method *a = &past.method[i];
		struct cof_history_method *b = &r.method[i];

		assert_memory_equal(a, b, offsetof(struct cof_history_method,
						   profile));
	}
	assert_int_equal(past.method[0].profile_bytes, 11);
	assert_memory_equal(past.method[0].profile, "seen to run", 11);
	assert_null(past.method[1].profile);
	cof_history_record_free(&r);
}

static void saving_a_run_again_replaces_its_record(void **state)
{
	(void)state;
	assert_int_equal(save(1, 1, 5), COF_HISTORY_OK);
	assert_int_equal(save(1, 2, 5), COF_HISTORY_OK);
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 2);
	/* And its place among the others stays. */
	assert_int_equal(past.run[0].began_ns, history_run(2).began_ns);
	assert_int_equal(past.run[1].began_ns, history_run(1).began_ns);
}

static void the_hot_set_is_that_of_the_run_that_saw_most(void **state)
{
	struct cof_history_record r = history_record(1, 2, 4);

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	r.run.samples = r.run.counted = r.run.recompiled = 10;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	r = history_record(1, 3, 0);
	r.run.loop = false;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.n_methods, 3);
	assert_int_equal(past.samples, 2400);
}

static void the_latest_profile_of_a_method_is_kept(void **state)
{
	struct cof_history_record r = history_record(1, 2, 2);

	(void)state;
	assert_int_equal(save(1, 1, 2), COF_HISTORY_OK);
	((char *)r.method[0].profile)[0] = 'S';
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_memory_equal(past.method[0].profile, "Seen to run", 11);
}

static void programs_are_found_by_the_end_of_their_path(void **state)
{
	char why[COF_HISTORY_WHY];
	struct cof_history_store *store;
	struct cof_history_id id[4], first = history_id(1);
	uint32_t n;

	(void)state;
	assert_int_equal(save(1, 1, 2), COF_HISTORY_OK);
	assert_int_equal(save(2, 2, 2), COF_HISTORY_OK);
	assert_int_equal(cof_history_store_open(history_path, COF_HISTORY_LOOK,
						history_deadline(), &store,
						why), COF_HISTORY_OK);
	assert_int_equal(store->ops->find(store, "guest", id, 4, &n, why),
			 COF_HISTORY_OK);
	assert_int_equal(n, 2);
	assert_memory_equal(&id[1], &first, sizeof(first));
	assert_int_equal(store->ops->find(store, "/usr/bin/guest", id, 1, &n,
					  why), COF_HISTORY_OK);
	assert_int_equal(n, 1);
	assert_int_equal(store->ops->find(store, "uest", id, 4, &n, why),
			 COF_HISTORY_NOTHING);
	assert_int_equal(store->ops->find(store, "%", id, 4, &n, why),
			 COF_HISTORY_NOTHING);
	store->ops->close(store);
}

/* -- Limits ----------------------------------------------------------------- */

static void the_oldest_runs_go_first(void **state)
{
	struct cof_history_limits few = { .runs = 3, .programs = 9,
					  .bytes = 1 << 20 };

	(void)state;
	for (int i = 0; i < 10; i++)
		assert_int_equal(history_save(history_path,
					      history_record(1, i, 9), &few),
				 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.run[2].began_ns, history_run(7).began_ns);
}

static void the_programs_not_run_for_longest_go_first(void **state)
{
	struct cof_history_limits few = { .runs = 3, .programs = 2,
					  .bytes = 1 << 20 };

	(void)state;
	for (int i = 1; i < 6; i++)
		assert_int_equal(history_save(history_path, history_record(
					(unsigned)i, i, 9), &few),
				 COF_HISTORY_OK);
	assert_int_equal(load(3), COF_HISTORY_NOTHING);
	assert_int_equal(load(4), COF_HISTORY_OK);
	assert_int_equal(load(5), COF_HISTORY_OK);
}

static void the_file_does_not_grow_beyond_its_limit(void **state)
{
	struct cof_history_limits small = { .runs = 40, .programs = 200,
					    .bytes = 1 << 20 };
	struct stat st;

	(void)state;
	for (int i = 1; i < 30; i++) {
		struct cof_history_record r =
			history_record((unsigned)i, i, 100);

		r.method[1].profile = cof_alloc(100000);
		r.method[1].profile_bytes = 100000;
		assert_int_equal(history_save(history_path, r, &small),
				 COF_HISTORY_OK);
		assert_int_equal(stat(history_path, &st), 0);
		assert_true(st.st_size <= 1 << 20);
		assert_int_equal(load((unsigned)i), COF_HISTORY_OK);
	}
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
}

static void a_record_beyond_all_limits_changes_nothing(void **state)
{
	struct cof_history_limits small = { .runs = 40, .programs = 200,
					    .bytes = 1 << 20 };
	struct cof_history_record r = history_record(1, 2, 100);

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	for (int i = 1; i < 4; i++) {
		r.method[i].profile = cof_alloc(500000);
		r.method[i].profile_bytes = 500000;
	}
	assert_int_equal(history_save(history_path, r, &small),
			 COF_HISTORY_FAILED);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
}

static void a_record_that_cannot_be_is_not_saved(void **state)
{
	struct cof_history_record r = history_record(1, 1, 3);

	(void)state;
	r.run.wall_ns = -1;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_FAILED);
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
}

/* -- Files that are not right ----------------------------------------------- */

static void write_file(const char *path, const void *data, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, bytes), (ssize_t)bytes);
	close(fd);
}

static void another_file_is_left_alone_and_a_second_name_used(void **state)
{
	static const char text[] = "Dear diary, this is no database at all.";
	char now[sizeof(text)] = "";
	int fd;

	(void)state;
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	write_file(history_path, text, sizeof(text));
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_true(exists(".2"));
	fd = open(history_path, O_RDONLY);
	assert_int_equal(read(fd, now, sizeof(now)), sizeof(text));
	close(fd);
	assert_string_equal(now, text);
}

static void another_programs_database_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	assert_int_equal(unlink(history_path), 0);
	sql("CREATE TABLE mine(x);INSERT INTO mine VALUES(1)");
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
	assert_true(exists(".2"));
	sql("INSERT INTO mine VALUES(2)");	/* it is still there */
}

static void what_is_ours_and_broken_is_moved_aside(void **state)
{
	static const char *const damage[] = {
		"DROP TABLE phase",
		"CREATE TABLE more(x)",
		"CREATE VIEW more AS SELECT * FROM run",
		"CREATE TRIGGER more AFTER INSERT ON run BEGIN "
			"DELETE FROM program; END",
		"DROP INDEX run_program",
		"ALTER TABLE run ADD COLUMN more",
		"UPDATE run SET wall_ns=-1",
		"UPDATE run SET wall_ns=NULL",
		"UPDATE run SET cpu_ns='long'",
		"UPDATE run SET cpu_ns=1e300",
		"UPDATE run SET counted=samples+1",
		"UPDATE run SET mode=99",
		"UPDATE run SET verdict=-1",
		"UPDATE run SET cpu=zeroblob(10)",
		"UPDATE run SET cpu=printf('%.5000c','x')",
		"UPDATE run SET libcof=char(27)||'[2J'",
		"UPDATE run SET pid=0",
		"UPDATE method SET name=NULL",
		"UPDATE method SET name=''",
		"UPDATE method SET samples=-7",
		"UPDATE method SET plan=17",
		"UPDATE method SET measured=4294967296",
		"UPDATE method SET audit=4",
		"UPDATE method SET shape=zeroblob(8)",
		"UPDATE profile SET data=zeroblob(1500000)",
		"UPDATE profile SET data=7",
		"UPDATE program SET name=zeroblob(3)",
		"UPDATE program SET host=printf('%.3000c','x')",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(damage) / sizeof(damage[0]); i++) {
		assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
		assert_int_equal(load(1), COF_HISTORY_OK);
		sql(damage[i]);
		if (load(1) != COF_HISTORY_DAMAGED)
			fail_msg("%s", damage[i]);
		assert_int_equal(past.n_runs, 0);
		assert_false(exists(""));
		assert_true(exists(".damaged"));
		assert_int_equal(load(1), COF_HISTORY_NOTHING);
	}
	assert_false(exists(".2"));
}

static void a_writer_too_moves_a_broken_file_aside(void **state)
{
	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	sql("DROP TABLE phase");
	assert_int_equal(save(1, 2, 3), COF_HISTORY_DAMAGED);
	assert_int_equal(save(1, 2, 3), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
}

static void looking_changes_nothing(void **state)
{
	struct cof_history_id id = history_id(1);
	char why[COF_HISTORY_WHY];
	struct cof_history_store *store;

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	sql("UPDATE run SET wall_ns=-1");
	assert_int_equal(cof_history_store_open(history_path, COF_HISTORY_LOOK,
						history_deadline(), &store,
						why), COF_HISTORY_OK);
	assert_int_equal(store->ops->load(store, &id, &history_limits, &past,
					  why), COF_HISTORY_DAMAGED);
	store->ops->close(store);
	assert_true(exists(""));
}

static size_t read_file(const char *path, unsigned char **data)
{
	struct stat st;
	int fd = open(path, O_RDONLY);

	assert_int_equal(fstat(fd, &st), 0);
	*data = malloc((size_t)st.st_size);
	assert_int_equal(read(fd, *data, (size_t)st.st_size), st.st_size);
	close(fd);
	return (size_t)st.st_size;
}

/* Whatever comes out of it is possible, and a new file can be begun. */
static void use(void)
{
	char second[200];

	snprintf(second, sizeof(second), "%s.2", history_path);
	if (load(1) == COF_HISTORY_OK)
		for (uint32_t i = 0; i < past.n_runs; i++)
			assert_true(cof_history_run_ok(&past.run[i]));
	/* Damage may be where only one of the two comes by. */
	for (int i = 0; i < 3; i++)
		if (save(1, 1, 3) == COF_HISTORY_OK &&
		    load(1) == COF_HISTORY_OK)
			break;
	assert_int_equal(load(1), COF_HISTORY_OK);
	(void)unlink(second);
}

static void any_damage_is_survived(void **state)
{
	unsigned char *data;
	size_t bytes;
	uint32_t random = 12345;

	(void)state;
	for (int i = 0; i < 5; i++)
		assert_int_equal(save(1, i, 40), COF_HISTORY_OK);
	bytes = read_file(history_path, &data);
	for (int i = 0; i < 300; i++) {
		unsigned char *bad = malloc(bytes);
		size_t keep = bytes;

		memcpy(bad, data, bytes);
		for (int k = 0; k < 1 + i % 8; k++) {
			random = random * 1664525 + 1013904223;
			bad[random % bytes] ^= (unsigned char)(random >> 24 | 1);
		}
		if (i % 5 == 0) {
			random = random * 1664525 + 1013904223;
			keep = random % bytes;
		}
		if (i % 7 == 0 && bytes > 8192)	/* a page of something else */
			memset(bad + 4096 * (1 + (size_t)i % (bytes / 4096 - 1)),
			       i, 4096);
		write_file(history_path, bad, keep);
		free(bad);
		use();
	}
	free(data);
}

/* -- Places that are not right ---------------------------------------------- */

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
	/* As a home without room for us, if we are not root. */
	history_path[0] = '\0';
	snprintf(history_path, sizeof(history_path), "%s/cof/history.db",
		 history_dir);
	assert_int_equal(save(1, 1, 1), COF_HISTORY_OK);
}

static void the_place_is_where_options_and_environment_say(void **state)
{
	char path[COF_HISTORY_PATH], why[COF_HISTORY_WHY], cwd[300];

	(void)state;
	assert_true(cof_history_place("/a/b.db", path, why));
	assert_string_equal(path, "/a/b.db");
	assert_true(cof_history_place("b.db", path, why));
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_memory_equal(path, cwd, strlen(cwd));
	assert_string_equal(path + strlen(cwd), "/b.db");
	setenv("XDG_DATA_HOME", "/data", 1);
	assert_true(cof_history_place("", path, why));
	assert_string_equal(path, "/data/cof/history.db");
	setenv("XDG_DATA_HOME", "relative", 1);	/* to be ignored, it says */
	setenv("HOME", "/home/me", 1);
	assert_true(cof_history_place("", path, why));
	assert_string_equal(path, "/home/me/.local/share/cof/history.db");
	unsetenv("XDG_DATA_HOME");
	unsetenv("HOME");
	assert_false(cof_history_place("", path, why));
}

/* In a child: nothing else must meet the limit. */
static int save_with_room(rlim_t bytes)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct rlimit lim = { bytes, bytes };

		signal(SIGXFSZ, SIG_IGN);
		if (setrlimit(RLIMIT_FSIZE, &lim) != 0)
			_exit(99);
		_exit(save(1, 2, 200));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
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

static void a_locked_file_is_given_up_in_time(void **state)
{
	char why[COF_HISTORY_WHY];
	struct cof_history_store *store;
	struct cof_history_record r = history_record(1, 2, 3);
	sqlite3 *db;

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
			 SQLITE_OK);
	/* The deadline has passed when it is asked. */
	assert_int_equal(cof_history_store_open(history_path,
						COF_HISTORY_WRITE,
						cof_clock_ns(), &store, why),
			 COF_HISTORY_BUSY);
	sqlite3_close(db);
	assert_int_equal(save(1, 2, 3), COF_HISTORY_OK);
	cof_history_record_free(&r);
}

/* -- Two at once, and kill -9 ----------------------------------------------- */

/* Save and load for ever, until killed. A run's parts agree: it has as many
 * methods as generations. */
static void writer(unsigned program)
{
	for (int64_t i = 0;; i++) {
		uint32_t n = 1 + (uint32_t)(i * 37 % 200);
		struct cof_history_record r =
			history_record(program, cof_clock_ns() % SECOND, n);

		r.run.generations = n;
		(void)history_save(history_path, r, &history_limits);
		if (i % 4 == 0)
			load(program);
	}
}

static void check_whole(unsigned program)
{
	enum cof_history_result r = load(program);

	assert_true(r == COF_HISTORY_OK || r == COF_HISTORY_NOTHING);
	if (r == COF_HISTORY_OK) {
		int64_t n = past.run[0].generations;

		for (uint32_t i = 1; i < past.n_runs; i++)
			if (past.run[i].counted > past.run[0].counted)
				n = past.run[i].generations;
		assert_int_equal(past.n_methods, n);
	}
}

static pid_t start_writer(unsigned program)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(20);
		writer(program);
	}
	return pid;
}

static void killing_writers_at_any_moment_damages_nothing(void **state)
{
	pid_t pid[2] = { start_writer(1), start_writer(2) };
	uint32_t random = (uint32_t)cof_clock_ns();
	uint32_t runs = 0;

	(void)state;
	for (int i = 0; i < 120; i++) {
		struct timespec nap = { 0 };
		unsigned k = (unsigned)i % 2;

		random = random * 1664525 + 1013904223;
		nap.tv_nsec = (long)(random % 25000000);
		nanosleep(&nap, NULL);
		assert_int_equal(kill(pid[k], SIGKILL), 0);
		assert_int_equal(waitpid(pid[k], NULL, 0), pid[k]);
		check_whole(k + 1);
		runs += past.n_runs;
		pid[k] = start_writer(k + 1);
	}
	for (int k = 0; k < 2; k++) {
		kill(pid[k], SIGKILL);
		waitpid(pid[k], NULL, 0);
		check_whole((unsigned)k + 1);
	}
	assert_true(runs > 0);
	assert_false(exists(".damaged"));
	assert_false(exists(".2"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(nothing_is_known_before_the_first_record),
		T(a_record_comes_back_as_it_was),
		T(saving_a_run_again_replaces_its_record),
		T(the_hot_set_is_that_of_the_run_that_saw_most),
		T(the_latest_profile_of_a_method_is_kept),
		T(programs_are_found_by_the_end_of_their_path),
		T(the_oldest_runs_go_first),
		T(the_programs_not_run_for_longest_go_first),
		T(the_file_does_not_grow_beyond_its_limit),
		T(a_record_beyond_all_limits_changes_nothing),
		T(a_record_that_cannot_be_is_not_saved),
		T(another_file_is_left_alone_and_a_second_name_used),
		T(another_programs_database_is_left_alone),
		T(what_is_ours_and_broken_is_moved_aside),
		T(a_writer_too_moves_a_broken_file_aside),
		T(looking_changes_nothing),
		T(any_damage_is_survived),
		T(links_and_open_directories_are_refused),
		T(a_link_to_the_directory_is_fine),
		T(another_users_file_is_refused),
		T(where_nothing_can_be_written_nothing_is),
		T(the_place_is_where_options_and_environment_say),
		T(a_full_disk_loses_the_record_only),
		T(a_locked_file_is_given_up_in_time),
		T(killing_writers_at_any_moment_damages_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
