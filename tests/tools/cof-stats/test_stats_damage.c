/*
 * test_stats_damage.c - a damaged or hostile stats file is refused, or harmless
 *
 * Each test changes a good file and reads it again.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "cof-stats/derived.h"
#include "stats_file.h"
#include "code/version.h"

static const uint32_t calls[] = { 3, 2, 1 };

static struct cof_method method = { .name = (char *)"hot" };

static void refused_as(const char *text)
{
	assert_int_equal(look(), -1);
	assert_non_null(strstr(why, text));
}

static void a_file_of_something_else_is_refused(void **state)
{
	(void)state;
	stats->header->magic[0] = 'X';
	refused_as("not a stats file");
	assert_int_equal(ftruncate(fd, 0), 0);
	refused_as("not a stats file");
	close(fd);
	fd = open(stats_dir, O_RDONLY | O_DIRECTORY);
	refused_as("not a regular file");
	close(fd);
	fd = open("/dev/zero", O_RDONLY);
	refused_as("not a regular file");
}

static void another_format_is_refused_with_its_number(void **state)
{
	(void)state;
	stats->header->format = 77;
	refused_as("format 77");
}

static void every_cut_of_the_file_is_refused(void **state)
{
	struct cof_stats_file_header h = *stats->header;
	off_t size = (off_t)h.file_bytes;

	(void)state;
	/* Downwards, so that the writer's mapping is cut only once. */
	for (off_t n = size - 1; n >= 0; n = n > 5000 ? n - 997 : n - 1) {
		assert_int_equal(ftruncate(fd, n), 0);
		assert_int_equal(look(), -1);
	}
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(pwrite(fd, &h, sizeof(h), 0), sizeof(h));
}

/* Each offset, count and size in the header gets values that cannot be true. */
static void no_offset_count_or_size_is_believed(void **state)
{
	struct cof_stats_file_header *h = stats->header, was = *h;
	uint64_t *const wide[] = {
		&h->desc_offset, &h->flow_offset, &h->hot_offset,
		&h->phase_offset,
	};
	uint32_t *const narrow[] = {
		&h->n_desc, &h->desc_bytes, &h->n_hot, &h->hot_bytes,
		&h->n_phase, &h->phase_bytes, &h->header_bytes,
	};
	const uint64_t bad_wide[] = {
		UINT64_MAX, UINT64_MAX - 7, UINT64_MAX / 2 + 1,
		h->file_bytes + 8, h->file_bytes - 8 + 1, 0, 1,
	};
	const uint32_t bad_narrow[] = {
		UINT32_MAX, UINT32_MAX - 7, 0x80000000u, 0x10000, 4097,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		for (size_t k = 0; k < sizeof(bad_wide) / 8; k++) {
			*wide[i] = bad_wide[k];
			assert_int_equal(look(), -1);
			*h = was;
		}
	for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++)
		for (size_t k = 0; k < sizeof(bad_narrow) / 4; k++) {
			*narrow[i] = bad_narrow[k];
			assert_int_equal(look(), -1);
			*h = was;
		}
	for (uint64_t k = 0; k < sizeof(bad_wide) / 8; k++) {
		h->file_bytes = bad_wide[k];
		look();		/* may succeed, and must not crash */
		*h = was;
	}
	h->file_bytes = UINT64_MAX;
	refused_as("sizes");
	*h = was;
	h->desc_bytes -= 8;
	refused_as("counters");
	*h = was;
	h->hot_bytes = 0;
	refused_as("methods");
	*h = was;
	assert_int_equal(look(), 0);
}

static void a_product_that_overflows_is_refused(void **state)
{
	struct cof_stats_file_header *h = stats->header;

	(void)state;
	h->n_hot = 0x10000000;
	h->hot_bytes = 0x10000000;
	refused_as("methods");
}

static void a_counter_outside_the_file_is_refused(void **state)
{
	static const uint32_t bad[] = {
		UINT32_MAX, UINT32_MAX - 7, 0x7ffffff8, 100000, 1, 4,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		descs()[5].offset = bad[i];
		refused_as("counter 5");
	}
	descs()[5].offset = (uint32_t)(stats->header->file_bytes -
				       stats->header->flow_offset);
	refused_as("counter 5");
	descs()[5].offset -= 8;
	assert_int_equal(look(), 0);
}

static void a_counter_named_twice_is_refused(void **state)
{
	(void)state;
	descs()[3] = descs()[2];
	refused_as("twice");
}

static void a_stage_that_comes_back_is_refused(void **state)
{
	struct cof_stats_file_desc d = descs()[stats->header->n_desc - 1];

	(void)state;
	strcpy(d.name, "other");
	descs()[1] = d;
	refused_as("twice");
}

static void texts_without_an_end_stay_inside_their_fields(void **state)
{
	struct cof_stats_file_header *h = stats->header;
	struct cof_version a = {
		.code.start = 64, .code.end = 128, .method = &method,
	};
	struct cof_version *v[] = { &a };

	(void)state;
	cof_stats_file_hot(stats, v, calls, 1);
	cof_stats_file_phase(stats, 1, 1, "x");
	memset(h->host, 'A', sizeof(h->host));
	memset(h->version, 'B', sizeof(h->version));
	memset(h->program, 'C', sizeof(h->program));
	memset(h->options, 'D', sizeof(h->options));
	memset(h->source, 'E', sizeof(h->source));
	memset(h->source_why, 'F', sizeof(h->source_why));
	memset(h->reclaim_off, 'G', sizeof(h->reclaim_off));
	memset(h->mode, 'H', sizeof(h->mode));
	memset(descs()[0].stage, 'I', sizeof(descs()[0].stage));
	memset(descs()[0].name, 'J', sizeof(descs()[0].name));
	memset(descs()[0].unit, 'K', sizeof(descs()[0].unit));
	memset(descs()[0].doc, 'L', sizeof(descs()[0].doc));
	memset(stats->hot[0].name, 'M', COF_STATS_FILE_NAME);
	memset(stats->phase[0].heaviest, 'N', COF_STATS_FILE_NAME);
	assert_int_equal(look(), 0);
	assert_int_equal(strlen(r.head.host), sizeof(h->host) - 1);
	assert_int_equal(strlen(r.head.options), sizeof(h->options) - 1);
	assert_int_equal(strlen(r.desc[0].name), 31);
	assert_int_equal(strlen(r.hot[0].name), COF_STATS_FILE_NAME - 1);
	assert_int_equal(strlen(r.phase[0].heaviest), COF_STATS_FILE_NAME - 1);
}

static void a_row_that_stays_half_written_is_left_out(void **state)
{
	struct cof_version a = {
		.code.start = 64, .code.end = 128, .method = &method,
	};
	struct cof_version *v[] = { &a, &a };

	(void)state;
	cof_stats_file_hot(stats, v, calls, 2);
	atomic_fetch_add(&stats->hot[0].seq, 1);
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 1);
	assert_int_equal(r.torn, 1);
}

static void times_that_cannot_be_give_no_wild_figures(void **state)
{
	(void)state;
	stats->header->start_ns = UINT64_MAX;
	stats->header->updated_ns = UINT64_MAX;
	assert_int_equal(look(), 0);
	assert_int_equal(reader_uptime_ns(&r), 0);
	assert_int_equal(reader_age_ns(&r), 0);
}

static void a_pid_that_cannot_be_is_dead(void **state)
{
	(void)state;
	stats->header->pid = 0;
	assert_int_equal(look(), 0);
	assert_int_equal(r.life, COF_LIFE_DEAD);
	stats->header->pid = UINT32_MAX;	/* kill(-1, ...)! */
	assert_int_equal(look(), 0);
	assert_int_equal(r.life, COF_LIFE_DEAD);
	stats->header->pid = (uint32_t)getpid();
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_file_of_something_else_is_refused),
		T(another_format_is_refused_with_its_number),
		T(every_cut_of_the_file_is_refused),
		T(no_offset_count_or_size_is_believed),
		T(a_product_that_overflows_is_refused),
		T(a_counter_outside_the_file_is_refused),
		T(a_counter_named_twice_is_refused),
		T(a_stage_that_comes_back_is_refused),
		T(texts_without_an_end_stay_inside_their_fields),
		T(a_row_that_stays_half_written_is_left_out),
		T(times_that_cannot_be_give_no_wild_figures),
		T(a_pid_that_cannot_be_is_dead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
