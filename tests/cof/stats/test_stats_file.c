/*
 * test_stats_file.c - the stats file describes itself, and outlives only a
 * crash
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/role.h"
#include "code/version.h"
#include "cof.h"
#include "stats/stats_file.h"
#include "stats_dir.h"

static struct cof_stats_file *open_file(void)
{
	struct cof_stats_file *s = cof_stats_file_open(stats_dir, "toy",
						       "mode=off");

	assert_non_null(s);
	assert_string_not_equal(s->path, "");
	return s;
}

static bool exists(const char *path)
{
	return access(path, F_OK) == 0;
}

/* The word that another process would read at an offset of the file. */
static uint64_t in_file(const char *path, uint64_t offset)
{
	uint64_t v = 0;
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &v, sizeof(v), (off_t)offset), sizeof(v));
	close(fd);
	return v;
}

/* -- The file -------------------------------------------------------------- */

static void the_header_describes_the_file(void **state)
{
	struct cof_stats_file *s = open_file();
	const struct cof_stats_file_header *h = s->header;
	struct stat st;

	(void)state;
	assert_string_equal(h->magic, COF_STATS_FILE_MAGIC);
	assert_int_equal(h->format, COF_STATS_FILE_FORMAT);
	assert_int_equal(h->header_bytes, sizeof(*h));
	assert_int_equal(h->pid, getpid());
	assert_true(h->start_ticks > 0);
	assert_true(h->start_ns > 0);
	assert_string_equal(h->host, "toy");
	assert_string_equal(h->version, COF_VERSION_STRING);
	assert_string_equal(h->options, "mode=off");
	assert_string_equal(h->mode, "off");
	assert_non_null(strstr(h->program, "test_stats_file"));
	assert_int_equal(stat(s->path, &st), 0);
	assert_int_equal(st.st_size, h->file_bytes);
	assert_true(h->desc_offset >= h->header_bytes);
	assert_true(h->flow_offset >=
		    h->desc_offset + (uint64_t)h->n_desc * h->desc_bytes);
	assert_true(h->hot_offset >= h->flow_offset + sizeof(struct cof_flow));
	assert_true(h->phase_offset >=
		    h->hot_offset + (uint64_t)h->n_hot * h->hot_bytes);
	assert_true(h->file_bytes >=
		    h->phase_offset + (uint64_t)h->n_phase * h->phase_bytes);
	assert_int_equal(h->flow_offset % COF_CACHELINE, 0);
	cof_stats_file_close(s);
}

static void a_counter_is_found_through_its_descriptor(void **state)
{
	struct cof_stats_file *s = open_file();
	const struct cof_stats_file_header *h = s->header;
	const struct cof_stats_file_desc *d =
		(const struct cof_stats_file_desc *)((const char *)h +
						     h->desc_offset);
	uint32_t i = 0;

	(void)state;
	cof_count_set(&s->flow->reclaim.freed, 77);
	while (strcmp(d[i].stage, "reclaim") != 0 ||
	       strcmp(d[i].name, "freed") != 0)
		assert_true(++i < h->n_desc);
	assert_int_equal(d[i].kind, COF_FLOW_OUT);
	assert_string_equal(d[i].unit, "versions");
	assert_int_equal(in_file(s->path, h->flow_offset + d[i].offset), 77);
	cof_stats_file_close(s);
}

static const struct cof_stats_file_desc *
last_desc(const struct cof_stats_file *s)
{
	const struct cof_stats_file_header *h = s->header;

	return (const struct cof_stats_file_desc *)((const char *)h +
						    h->desc_offset) +
	       h->n_desc - 1;
}

static void reasons_of_the_host_have_its_names(void **state)
{
	static const struct cof_reason reason[] = {
		{ "NO_ROOM", "there was no room" },
		{ "TOO_OLD", "it is too old" },
	};
	struct cof_stats_file *s = open_file();
	const struct cof_stats_file_desc *d = last_desc(s);

	(void)state;
	assert_string_equal(d->name, "SLOWER");
	cof_stats_file_reasons(s, reason, 2);
	assert_ptr_equal(last_desc(s), d + 2);
	assert_string_equal(d[1].stage, "improved");
	assert_string_equal(d[1].name, "NO_ROOM");
	assert_string_equal(d[1].doc, "there was no room");
	assert_string_equal(d[2].name, "TOO_OLD");
	cof_count_set(&s->flow->improved.drop_HOST_2, 5);
	assert_int_equal(in_file(s->path, s->header->flow_offset +
				 d[2].offset), 5);
	/* A child's own file has them too. */
	s->path[0] = '\0';
	assert_int_equal(cof_stats_file_in_child(s, stats_dir, "toy", ""), 0);
	assert_string_equal(last_desc(s)->name, "TOO_OLD");
	cof_stats_file_close(s);
}

static void closing_removes_the_file(void **state)
{
	struct cof_stats_file *s = open_file();
	char path[320];

	(void)state;
	strcpy(path, s->path);
	assert_true(exists(path));
	cof_stats_file_close(s);
	assert_false(exists(path));
	cof_stats_file_close(NULL);
}

static void two_instances_have_two_files(void **state)
{
	struct cof_stats_file *a = open_file(), *b = open_file();

	(void)state;
	assert_string_not_equal(a->path, b->path);
	cof_count_set(&a->flow->threads.now, 1);
	cof_count_set(&b->flow->threads.now, 2);
	assert_int_equal(cof_count_get(&a->flow->threads.now), 1);
	cof_stats_file_close(a);
	assert_true(exists(b->path));
	cof_stats_file_close(b);
}

static void without_a_good_place_it_counts_in_memory(void **state)
{
	static const char *const dirs[] = {
		"none", "/nonexistent/cof", "/proc",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		struct cof_stats_file *s = cof_stats_file_open(dirs[i], NULL,
							       NULL);

		assert_non_null(s);
		assert_string_equal(s->path, "");
		assert_non_null(strstr(s->why, dirs[i]));
		assert_string_equal(s->header->magic, COF_STATS_FILE_MAGIC);
		assert_string_equal(s->header->mode, "auto");
		cof_count_add(&s->flow->sampler.taken, 3);
		assert_int_equal(cof_count_get(&s->flow->sampler.taken), 3);
		cof_stats_file_close(s);
	}
}

static void the_users_runtime_directory_comes_first(void **state)
{
	struct cof_stats_file *s;

	(void)state;
	setenv("XDG_RUNTIME_DIR", stats_dir, 1);
	s = cof_stats_file_open("", "toy", "");
	unsetenv("XDG_RUNTIME_DIR");
	assert_non_null(s);
	assert_memory_equal(s->path, stats_dir, strlen(stats_dir));
	assert_non_null(strstr(s->path, "/cof/"));
	cof_stats_file_close(s);
}

static void a_long_text_is_cut_between_characters(void **state)
{
	struct cof_stats_file *s = open_file();
	char name[300];

	(void)state;
	memset(name, 'a', 254);
	strcpy(name + 254, "\xc3\xa9zzz");	/* byte 255 is inside the e' */
	cof_stats_file_program(s, name);
	assert_int_equal(strlen(s->header->program), 254);
	memset(name, 'a', 253);
	strcpy(name + 253, "\xc3\xa9zzz");
	cof_stats_file_program(s, name);
	assert_int_equal(strlen(s->header->program), 255);
	cof_stats_file_close(s);
}

/* -- Crash and fork -------------------------------------------------------- */

static void a_crash_leaves_the_file_and_its_last_counts(void **state)
{
	pid_t pid = fork();
	char path[100];
	int status;

	(void)state;
	if (pid == 0) {
		struct cof_stats_file *s = cof_stats_file_open(stats_dir,
							       "toy", "");

		cof_count_set((cof_count *)s->flow, 4711);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	snprintf(path, sizeof(path), "%s/%d", stats_dir, (int)pid);
	assert_int_equal(in_file(path, in_file(path,
		offsetof(struct cof_stats_file_header, flow_offset))), 4711);
}

static int run_child(void (*fn)(struct cof_stats_file *),
		     struct cof_stats_file *s)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		fn(s);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void just_close(struct cof_stats_file *s)
{
	cof_stats_file_close(s);
}

static void a_child_that_closes_leaves_the_parents_file(void **state)
{
	struct cof_stats_file *s = open_file();

	(void)state;
	assert_int_equal(run_child(just_close, s), 0);
	assert_true(exists(s->path));
	cof_stats_file_close(s);
}

static void count_on_its_own(struct cof_stats_file *s)
{
	if (cof_stats_file_forked(s) != 0 ||
	    cof_count_get(&s->flow->sampler.taken) != 0)
		_exit(1);
	cof_count_set(&s->flow->sampler.taken, 1000);
	if (cof_count_get(&s->flow->sampler.taken) != 1000)
		_exit(2);
	cof_stats_file_close(s);
}

static void a_child_counts_in_memory_of_its_own_from_zero(void **state)
{
	struct cof_stats_file *s = open_file();

	(void)state;
	cof_count_set(&s->flow->sampler.taken, 5);
	assert_int_equal(run_child(count_on_its_own, s), 0);
	assert_int_equal(cof_count_get(&s->flow->sampler.taken), 5);
	assert_true(exists(s->path));
	cof_stats_file_close(s);
}

/* -- Rows ------------------------------------------------------------------ */

static struct cof_method method = { .name = (char *)"Hashtable:get_Item" };

static struct cof_version version(uint32_t number, uint16_t weight)
{
	return (struct cof_version){
		.word = cof_word_pack((struct cof_word){
			.weight = weight, .calls = 3,
			.flags = COF_WORD_SETTLED }),
		.sampled.total = 99, .code.start = 0x1000, .code.end = 0x1040,
		.method = &method, .number = number, .plan = COF_PLAN_SPEED,
	};
}

static void hot_rows_show_the_versions_in_order(void **state)
{
	struct cof_stats_file *s = open_file();
	struct cof_version a = version(1, 50), b = version(0, 20);
	struct cof_version *v[] = { &a, &b };

	(void)state;
	cof_role = COF_ROLE_PREDICTOR;
	cof_stats_file_hot(s, v, (uint32_t[]){ 3, 2 }, 2);
	assert_string_equal(s->hot[0].name, "Hashtable:get_Item");
	assert_int_equal(s->hot[0].weight, 50);
	assert_int_equal(s->hot[0].calls, 3);
	assert_int_equal(s->hot[0].samples, 99);
	assert_int_equal(s->hot[0].number, 1);
	assert_int_equal(s->hot[0].plan, COF_PLAN_SPEED);
	assert_int_equal(s->hot[0].settled, 1);
	assert_int_equal(s->hot[0].dead, 0);
	assert_int_equal(s->hot[0].start, 0x1000);
	assert_int_equal(s->hot[0].size_bytes, 0x40);
	assert_int_equal(s->hot[0].seq % 2, 0);
	assert_int_not_equal(s->hot[0].seq, 0);
	assert_int_equal(s->hot[1].weight, 20);
	assert_int_equal(s->hot[2].seq, 0);

	/* Fewer the next time: the rows below are emptied. */
	cof_stats_file_hot(s, v + 1, (uint32_t[]){ 2 }, 1);
	assert_int_equal(s->hot[0].weight, 20);
	assert_int_equal(s->hot[1].size_bytes, 0);
	assert_string_equal(s->hot[1].name, "");
	assert_int_equal(s->hot[1].seq % 2, 0);
	cof_stats_file_close(s);
}

static void more_versions_than_rows_are_cut(void **state)
{
	enum { N = COF_STATS_FILE_HOT_ROWS + 5 };
	struct cof_stats_file *s = open_file();
	struct cof_version a = version(0, 1);
	struct cof_version *v[N];
	uint32_t calls[N] = { 0 };

	(void)state;
	for (int i = 0; i < N; i++)
		v[i] = &a;
	cof_role = COF_ROLE_PREDICTOR;
	cof_stats_file_hot(s, v, calls, N);
	assert_int_equal(s->hot[COF_STATS_FILE_HOT_ROWS - 1].weight, 1);
	assert_int_equal(s->phase[0].seq, 0);
	cof_stats_file_close(s);
}

static void phases_go_round_in_their_rows(void **state)
{
	struct cof_stats_file *s = open_file();

	(void)state;
	cof_role = COF_ROLE_PREDICTOR;
	for (uint64_t i = 0; i < COF_STATS_FILE_PHASE_ROWS + 3; i++)
		cof_stats_file_phase(s, i, 250, i % 2 ? "main" : NULL);
	assert_int_equal(s->phase[2].generation, COF_STATS_FILE_PHASE_ROWS + 2);
	assert_int_equal(s->phase[3].generation, 3);
	assert_int_equal(s->phase[3].similarity_permille, 250);
	assert_true(s->phase[3].ns >= s->header->start_ns);
	assert_string_equal(s->phase[3].heaviest, "main");
	assert_string_equal(s->phase[4].heaviest, "");
	cof_stats_file_close(s);
}

int main(void)
{
#define T(n) \
	cmocka_unit_test_setup_teardown(n, stats_dir_make, stats_dir_remove)
	const struct CMUnitTest tests[] = {
		T(the_header_describes_the_file),
		T(a_counter_is_found_through_its_descriptor),
		T(reasons_of_the_host_have_its_names),
		T(closing_removes_the_file),
		T(two_instances_have_two_files),
		T(without_a_good_place_it_counts_in_memory),
		T(the_users_runtime_directory_comes_first),
		T(a_long_text_is_cut_between_characters),
		T(a_crash_leaves_the_file_and_its_last_counts),
		T(a_child_that_closes_leaves_the_parents_file),
		T(a_child_counts_in_memory_of_its_own_from_zero),
		T(hot_rows_show_the_versions_in_order),
		T(more_versions_than_rows_are_cut),
		T(phases_go_round_in_their_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
