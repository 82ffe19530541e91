/*
 * test_stats_reader.c - a damaged or hostile stats file is refused, or harmless
 *
 * Each test takes a good file, does something to it, and reads it again.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "derived.h"
#include "print_json.h"
#include "print_text.h"
#include "reader.h"
#include "role.h"
#include "share.h"
#include "share_dir.h"
#include "version.h"

static const uint32_t calls[] = { 3, 2, 1 };

static struct cof_share *share;
static struct reader r;
static char why[READER_WHY];
static int fd;			/* the share's file, opened by its name */

static struct cof_method method = { .name = (char *)"hot" };

static int setup(void **state)
{
	if (share_dir_make(state) != 0)
		return -1;
	share = cof_share_open(share_dir, "toy", "");
	if (share == NULL)
		return -1;
	fd = open(share->path, O_RDWR);
	cof_role = COF_ROLE_PREDICTOR;
	return fd >= 0 ? 0 : -1;
}

static int teardown(void **state)
{
	reader_free(&r);
	close(fd);
	cof_share_close(share);
	return share_dir_remove(state);
}

/* Read and print it all, as cof-stats would. 0 or -1. */
static int look(void)
{
	FILE *null = fopen("/dev/null", "w");
	int err;

	assert_non_null(null);
	reader_free(&r);
	why[0] = '\0';
	err = reader_read(&r, fd, why);
	assert_true(err == 0 || why[0] != '\0');
	if (err == 0) {
		text_print(null, &r);
		text_print_rates(null, &r, &r);
		json_print(null, &r);
	}
	fclose(null);
	return err;
}

static struct cof_share_desc *descs(void)
{
	return (struct cof_share_desc *)((char *)share->header +
					 share->header->desc_offset);
}

/* -- Good files ------------------------------------------------------------- */

static void every_counter_reads_as_it_was_written(void **state)
{
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++)
		cof_count_set((cof_count *)((char *)share->flow +
					    cof_flow_table[i].offset), i + 1);
	assert_int_equal(look(), 0);
	assert_int_equal(r.n, cof_flow_table_len);
	for (size_t i = 0; i < cof_flow_table_len; i++) {
		assert_true(reader_find(&r, cof_flow_table[i].stage,
					cof_flow_table[i].name, &v));
		assert_int_equal(v, i + 1);
	}
	assert_false(reader_find(&r, "sampler", "nosuch", &v));
	assert_false(reader_find(&r, "nosuch", "taken", &v));
	assert_int_equal(r.life, COF_LIFE_RUNNING);
	assert_string_equal(reader_state(&r), "running");
	assert_int_equal(r.torn, 0);
}

static void rows_are_read_and_empty_ones_left_out(void **state)
{
	struct cof_version a = {
		.word = cof_word_pack((struct cof_word){ .weight = 9 }),
		.start = 64, .end = 128, .method = &method,
	};
	struct cof_version *v[] = { &a, &a, &a };

	(void)state;
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 0);
	assert_int_equal(r.n_phase, 0);
	cof_share_hot(share, v, calls, 3);
	cof_share_hot(share, v, calls, 2);
	for (uint64_t i = 0; i < COF_SHARE_PHASE_ROWS + 2; i++)
		cof_share_phase(share, i, 0, "hot");
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 2);
	assert_string_equal(r.hot[0].name, "hot");
	assert_int_equal(r.hot[0].weight, 9);
	assert_int_equal(r.n_phase, COF_SHARE_PHASE_ROWS);
	assert_int_equal(r.phase[0].generation, 2);
	assert_int_equal(r.phase[r.n_phase - 1].generation,
			 COF_SHARE_PHASE_ROWS + 1);
}

static void overhead_is_own_time_over_guest_time(void **state)
{
	struct derived d;

	(void)state;
	assert_int_equal(look(), 0);
	assert_false(derived_of(&r).overhead_known);	/* no guest time yet */
	cof_count_set(&share->flow->sampler.guest_ns, 1000);
	cof_count_set(&share->flow->sampler.handler_ns, 1);
	cof_count_set(&share->flow->sampler.delivery_ns, 2);
	cof_count_set(&share->flow->sampler.sam_ns, 3);
	cof_count_set(&share->flow->predictor.pre_ns, 4);
	cof_count_set(&share->flow->optimizer.picker_ns, 5);
	cof_count_set(&share->flow->optimizer.build_ns, 100);
	assert_int_equal(look(), 0);
	d = derived_of(&r);
	assert_true(d.overhead_known && d.builds_known);
	assert_true(d.overhead_pct > 1.4999 && d.overhead_pct < 1.5001);
	assert_true(d.builds_pct > 9.999 && d.builds_pct < 10.001);

	/* Another build does not count one of them: no figure, not a wrong one. */
	for (uint32_t i = 0; i < share->header->n_desc; i++)
		if (strcmp(descs()[i].name, "pre_ns") == 0)
			strcpy(descs()[i].name, "renamed");
	assert_int_equal(look(), 0);
	d = derived_of(&r);
	assert_false(d.overhead_known);
	assert_true(d.builds_known);
}

static void a_larger_header_and_larger_elements_are_read(void **state)
{
	/* A later build of the same format: everything grew at its end. */
	struct cof_share_header h = *share->header;
	struct cof_share_desc d = { .stage = "s", .name = "n", .unit = "u",
				    .kind = 9, .offset = 8 };
	uint64_t value = 42;
	uint64_t v;

	(void)state;
	h.header_bytes += 64;
	h.n_desc = 1;
	h.desc_bytes = sizeof(d) + 16;
	h.desc_offset = h.header_bytes;
	h.flow_offset = h.desc_offset + h.desc_bytes;
	h.n_hot = h.n_phase = 0;
	h.hot_bytes += 8;
	h.phase_bytes += 8;
	h.hot_offset = h.phase_offset = h.file_bytes;
	assert_int_equal(pwrite(fd, &h, sizeof(h), 0), sizeof(h));
	assert_int_equal(pwrite(fd, &d, sizeof(d), (off_t)h.desc_offset),
			 sizeof(d));
	assert_int_equal(pwrite(fd, &value, 8, (off_t)h.flow_offset + 8), 8);
	assert_int_equal(look(), 0);
	assert_true(reader_find(&r, "s", "n", &v));
	assert_int_equal(v, 42);
}

/* -- Bad files -------------------------------------------------------------- */

static void refused_as(const char *text)
{
	assert_int_equal(look(), -1);
	assert_non_null(strstr(why, text));
}

static void a_file_of_something_else_is_refused(void **state)
{
	(void)state;
	share->header->magic[0] = 'X';
	refused_as("not a stats file");
	assert_int_equal(ftruncate(fd, 0), 0);
	refused_as("not a stats file");
	close(fd);
	fd = open(share_dir, O_RDONLY | O_DIRECTORY);
	refused_as("not a regular file");
	close(fd);
	fd = open("/dev/zero", O_RDONLY);
	refused_as("not a regular file");
}

static void another_format_is_refused_with_its_number(void **state)
{
	(void)state;
	share->header->format = 77;
	refused_as("format 77");
}

static void every_cut_of_the_file_is_refused(void **state)
{
	struct cof_share_header h = *share->header;
	off_t size = (off_t)h.file_bytes;

	(void)state;
	/* Downwards, so that the writer's mapping is cut once only. */
	for (off_t n = size - 1; n >= 0; n = n > 5000 ? n - 997 : n - 1) {
		assert_int_equal(ftruncate(fd, n), 0);
		assert_int_equal(look(), -1);
	}
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(pwrite(fd, &h, sizeof(h), 0), sizeof(h));
}

/* Each place and size in the header, set to values that must not be believed. */
static void no_offset_count_or_size_is_believed(void **state)
{
	struct cof_share_header *h = share->header, was = *h;
	uint64_t *const wide[] = {
		&h->desc_offset, &h->flow_offset, &h->hot_offset,
		&h->phase_offset,
	};
	uint32_t *const narrow[] = {
		&h->n_desc, &h->desc_bytes, &h->n_hot, &h->hot_bytes,
		&h->n_phase, &h->phase_bytes, &h->header_bytes,
	};
	const uint64_t bad_wide[] = {
		UINT64_MAX, UINT64_MAX - 7, UINT64_MAX / 2 + 1, h->file_bytes + 8,
		h->file_bytes - 8 + 1, 0, 1,
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
		look();		/* a little smaller may do; must not crash */
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
	struct cof_share_header *h = share->header;

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
	descs()[5].offset = (uint32_t)(share->header->file_bytes -
				       share->header->flow_offset);
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
	struct cof_share_desc d = descs()[share->header->n_desc - 1];

	(void)state;
	strcpy(d.name, "other");
	descs()[1] = d;
	refused_as("twice");
}

static void texts_without_an_end_stay_inside_their_fields(void **state)
{
	struct cof_share_header *h = share->header;
	struct cof_version a = { .start = 64, .end = 128, .method = &method };
	struct cof_version *v[] = { &a };

	(void)state;
	cof_share_hot(share, v, calls, 1);
	cof_share_phase(share, 1, 1, "x");
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
	memset(share->hot[0].name, 'M', COF_SHARE_NAME);
	memset(share->phase[0].heaviest, 'N', COF_SHARE_NAME);
	assert_int_equal(look(), 0);
	assert_int_equal(strlen(r.head.host), sizeof(h->host) - 1);
	assert_int_equal(strlen(r.head.options), sizeof(h->options) - 1);
	assert_int_equal(strlen(r.desc[0].name), 31);
	assert_int_equal(strlen(r.hot[0].name), COF_SHARE_NAME - 1);
	assert_int_equal(strlen(r.phase[0].heaviest), COF_SHARE_NAME - 1);
}

static void a_row_that_stays_half_written_is_left_out(void **state)
{
	struct cof_version a = { .start = 64, .end = 128, .method = &method };
	struct cof_version *v[] = { &a, &a };

	(void)state;
	cof_share_hot(share, v, calls, 2);
	atomic_fetch_add(&share->hot[0].seq, 1);
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 1);
	assert_int_equal(r.torn, 1);
}

static void times_that_cannot_be_give_no_wild_figures(void **state)
{
	(void)state;
	share->header->start_ns = UINT64_MAX;
	share->header->updated_ns = UINT64_MAX;
	assert_int_equal(look(), 0);
	assert_int_equal(reader_uptime_ns(&r), 0);
	assert_int_equal(reader_age_ns(&r), 0);
}

static void a_pid_that_cannot_be_is_dead(void **state)
{
	(void)state;
	share->header->pid = 0;
	assert_int_equal(look(), 0);
	assert_int_equal(r.life, COF_LIFE_DEAD);
	share->header->pid = UINT32_MAX;	/* kill(-1, ...)! */
	assert_int_equal(look(), 0);
	assert_int_equal(r.life, COF_LIFE_DEAD);
	share->header->pid = (uint32_t)getpid();
}

/* -- A busy file ------------------------------------------------------------ */

#define WRITES 20000

/* All words of a row tell the same number. */
static void *write_rows(void *arg)
{
	struct cof_version a = { .method = &method };
	struct cof_version *v[] = { &a, &a, &a };

	cof_role = COF_ROLE_PREDICTOR;
	for (uint64_t i = 1; i <= WRITES; i++) {
		atomic_store(&a.samples, i);
		a.number = (uint32_t)i;
		a.start = i;
		a.end = 2 * i;		/* size i */
		cof_share_hot(share, v, calls, 3);
	}
	atomic_store((_Atomic bool *)arg, true);
	return NULL;
}

static void a_reader_never_sees_half_a_row(void **state)
{
	_Atomic bool done = false;
	unsigned rows = 0;
	pthread_t t;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, write_rows, &done), 0);
	do {
		assert_int_equal(look(), 0);
		for (uint32_t i = 0; i < r.n_hot; i++, rows++) {
			assert_int_equal(r.hot[i].number, r.hot[i].samples);
			assert_int_equal(r.hot[i].start, r.hot[i].samples);
			assert_int_equal(r.hot[i].size_bytes, r.hot[i].samples);
		}
	} while (!atomic_load(&done));
	pthread_join(t, NULL);
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 3);
	assert_int_equal(r.hot[2].samples, WRITES);
}

int main(void)
{
#define T(n) cmocka_unit_test_setup_teardown(n, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(every_counter_reads_as_it_was_written),
		T(rows_are_read_and_empty_ones_left_out),
		T(overhead_is_own_time_over_guest_time),
		T(a_larger_header_and_larger_elements_are_read),
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
		T(a_reader_never_sees_half_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
