/*
 * test_history_damage.c - a foreign or a broken file does no harm
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history_store.h"

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
	sql("INSERT INTO mine VALUES(2)");	/* the table is still there */
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

/* What is loaded from the file is possible, and a new file can be begun. */
static void use(void)
{
	char second[200];

	snprintf(second, sizeof(second), "%s.2", history_path);
	if (load(1) == COF_HISTORY_OK)
		for (uint32_t i = 0; i < past.n_runs; i++)
			assert_true(cof_history_run_ok(&past.run[i]));
	/* Load and save look at different parts, so one may miss damage. */
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
			bad[random % bytes] ^=
				(unsigned char)(random >> 24 | 1);
		}
		if (i % 5 == 0) {
			random = random * 1664525 + 1013904223;
			keep = random % bytes;
		}
		if (i % 7 == 0 && bytes > 8192) {
			size_t page = 1 + (size_t)i % (bytes / 4096 - 1);

			memset(bad + 4096 * page, i, 4096);
		}
		write_file(history_path, bad, keep);
		free(bad);
		use();
	}
	free(data);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(another_file_is_left_alone_and_a_second_name_used),
		T(another_programs_database_is_left_alone),
		T(what_is_ours_and_broken_is_moved_aside),
		T(a_writer_too_moves_a_broken_file_aside),
		T(looking_changes_nothing),
		T(any_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
