/*
 * test_stats_reader.c - a reader reads what was written, even while it is
 * written
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

static void every_counter_reads_as_it_was_written(void **state)
{
	/* The host has no reasons. */
	const size_t n = cof_flow_table_len - COF_IMPROVED_HOST_REASONS;
	uint64_t v;

	(void)state;
	for (size_t i = 0; i < n; i++)
		cof_count_set((cof_count *)((char *)stats->flow +
					    cof_flow_table[i].offset), i + 1);
	assert_int_equal(look(), 0);
	assert_int_equal(r.n, n);
	for (size_t i = 0; i < n; i++) {
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
		.code.start = 64, .code.end = 128, .method = &method,
	};
	struct cof_version *v[] = { &a, &a, &a };

	(void)state;
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 0);
	assert_int_equal(r.n_phase, 0);
	cof_stats_file_hot(stats, v, calls, 3);
	cof_stats_file_hot(stats, v, calls, 2);
	for (uint64_t i = 0; i < COF_STATS_FILE_PHASE_ROWS + 2; i++)
		cof_stats_file_phase(stats, i, 0, "hot");
	assert_int_equal(look(), 0);
	assert_int_equal(r.n_hot, 2);
	assert_string_equal(r.hot[0].name, "hot");
	assert_int_equal(r.hot[0].weight, 9);
	assert_int_equal(r.n_phase, COF_STATS_FILE_PHASE_ROWS);
	assert_int_equal(r.phase[0].generation, 2);
	assert_int_equal(r.phase[r.n_phase - 1].generation,
			 COF_STATS_FILE_PHASE_ROWS + 1);
}

static void overhead_is_own_time_over_guest_time(void **state)
{
	struct derived d;

	(void)state;
	assert_int_equal(look(), 0);
	/* There is no guest time yet. */
	assert_false(derived_of(&r, NULL).overhead.known);
	cof_count_set(&stats->flow->sampler.guest_ns, 1000);
	cof_count_set(&stats->flow->sampler.handler_ns, 1);
	cof_count_set(&stats->flow->sampler.delivery_ns, 2);
	cof_count_set(&stats->flow->sampler.sam_ns, 3);
	cof_count_set(&stats->flow->predictor.pre_ns, 4);
	cof_count_set(&stats->flow->optimizer.picker_ns, 5);
	cof_count_set(&stats->flow->optimizer.build_ns, 100);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);
	assert_true(d.overhead.known && d.builds.known);
	assert_true(d.overhead.value > 1.4999 && d.overhead.value < 1.5001);
	assert_true(d.builds.value > 9.999 && d.builds.value < 10.001);

	/* Another build lacks a counter: then there is no figure. */
	for (uint32_t i = 0; i < stats->header->n_desc; i++)
		if (strcmp(descs()[i].name, "pre_ns") == 0)
			strcpy(descs()[i].name, "renamed");
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);
	assert_false(d.overhead.known);
	assert_true(d.builds.known);
}

static void a_figure_of_two_looks_is_of_the_time_between(void **state)
{
	struct reader before;
	struct derived d;
	char nothing[READER_WHY];

	(void)state;
	cof_count_set(&stats->flow->sampler.guest_ns, 1000);
	cof_count_set(&stats->flow->sampler.sam_ns, 500);
	assert_int_equal(reader_read(&before, fd, nothing), 0);
	assert_false(derived_of(&before, &before).overhead.known);
	cof_count_set(&stats->flow->sampler.guest_ns, 2000);
	cof_count_set(&stats->flow->sampler.sam_ns, 510);
	assert_int_equal(look(), 0);
	d = derived_of(&r, &before);
	assert_true(d.overhead.known);
	assert_true(d.overhead.value > 0.9999 && d.overhead.value < 1.0001);
	reader_free(&before);
}

static void what_is_saved_is_what_trials_measured(void **state)
{
	struct cof_version faster = {
		.trial = { .state = COF_AUDIT_KEPT, .gain_permille = 500,
			   .speed_permille = 1500 },
		.sampled = { .total = 100 },
		.code = { .start = 64, .end = 128 }, .method = &method,
	}, unclear = faster;
	struct cof_version *v[] = { &faster, &unclear };
	struct derived d;

	(void)state;
	unclear.trial.state = COF_AUDIT_OPEN;
	cof_stats_file_hot(stats, v, calls, 2);
	assert_int_equal(look(), 0);
	assert_false(derived_of(&r, NULL).saved.known);	/* no samples */
	cof_count_set(&stats->flow->sampler.counted, 200);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);
	assert_true(d.saved.known);	/* 50 of 250 */
	assert_true(d.saved.value > 19.999 && d.saved.value < 20.001);
	/* Half of the program's samples are in code that nobody knows. */
	cof_count_set(&stats->flow->sampler.drop_NATIVE, 200);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);	/* 50 of 450 */
	assert_true(d.saved.value > 11.111 && d.saved.value < 11.112);
	cof_count_set(&stats->flow->sampler.drop_NATIVE, 0);
	/* It was built over one that was measured to be 1.4 times as fast. */
	unclear.trial.before_permille = 1400;
	unclear.trial.speed_permille = 2100;
	cof_stats_file_hot(stats, v, calls, 2);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);	/* 90 of 290 */
	assert_true(d.saved.value > 31.034 && d.saved.value < 31.035);
	/* And then taken back: the other is as fast as before. */
	faster.trial.state = COF_AUDIT_OPEN;
	faster.trial.gain_permille = -100;
	cof_stats_file_hot(stats, v, calls, 1);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);
	assert_true(d.saved.value > 19.999 && d.saved.value < 20.001);
}

/* Those with a profile and of continuations are builds too. */
static void all_builds_count_as_builds(void **state)
{
	struct cof_flow *f = stats->flow;
	cof_count *part[] = {
		&f->optimizer.gather_ns, &f->optimizer.build_ns,
		&f->profile.instrument_ns, &f->profile.collect_ns,
		&f->profile.build_ns, &f->osr.osr_ns,
	};
	struct derived d;

	(void)state;
	cof_count_set(&f->sampler.guest_ns, 1000);
	for (unsigned i = 0; i < 6; i++)
		cof_count_set(part[i], 10);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);
	assert_true(d.builds.value > 5.999 && d.builds.value < 6.001);
}

static void the_loop_is_what_mode_and_counters_say(void **state)
{
	struct cof_stats_file_header *h = stats->header;

	(void)state;
	strcpy(h->mode, "auto");
	assert_int_equal(look(), 0);
	assert_int_equal(derived_of(&r, NULL).loop, DERIVED_LOOP_WAITS);
	cof_count_set(&stats->flow->predictor.generations, 1);
	assert_int_equal(look(), 0);
	assert_int_equal(derived_of(&r, NULL).loop, DERIVED_LOOP_ON);
	strcpy(h->mode, "auto: off");
	assert_int_equal(look(), 0);
	assert_int_equal(derived_of(&r, NULL).loop, DERIVED_LOOP_NO_GAIN);
	strcpy(h->mode, "pgo");
	assert_int_equal(look(), 0);
	assert_int_equal(derived_of(&r, NULL).loop, DERIVED_LOOP_PGO);
	strcpy(h->mode, "off");
	assert_int_equal(look(), 0);
	assert_int_equal(derived_of(&r, NULL).loop, DERIVED_LOOP_OFF);
	h->stopped = 1;
	assert_int_equal(look(), 0);
	assert_int_equal(derived_of(&r, NULL).loop, DERIVED_LOOP_STOPPED);
}

static void every_usual_drop_is_a_counter(void **state)
{
	unsigned usual = 0;

	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++)
		if (derived_is_usual(cof_flow_table[i].stage,
				     cof_flow_table[i].name)) {
			assert_int_equal(cof_flow_table[i].kind, COF_FLOW_DROP);
			usual++;
		}
	assert_int_equal(usual, DERIVED_USUAL);
}

static void every_figure_finds_its_counters(void **state)
{
	struct derived d;

	(void)state;
	for (size_t i = 0; i < cof_flow_table_len; i++)
		cof_count_set((cof_count *)((char *)stats->flow +
					    cof_flow_table[i].offset), 1);
	assert_int_equal(look(), 0);
	d = derived_of(&r, NULL);
	assert_true(d.overhead.known && d.builds.known && d.recompiled.known);
	assert_true(d.phase.known && d.counting.known && d.queued.known &&
		    d.on_trial.known);
	assert_true(d.built.known && d.profiled.known &&
		    d.first_patch_ns.known);
	assert_true(d.faster.known && d.slower.known && d.unclear.known);
	assert_true(d.reserved.known && d.first.known && d.hot.known &&
		    d.retired.known && d.data.known);
}

static void a_larger_header_and_larger_elements_are_read(void **state)
{
	/* A later build of the same format has more at the end of each part. */
	struct cof_stats_file_header h = *stats->header;
	struct cof_stats_file_desc d = { .stage = "s", .name = "n", .unit = "u",
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

#define WRITES 20000

/* All words of a row are the same number. */
static void *write_rows(void *arg)
{
	struct cof_version a = { .method = &method };
	struct cof_version *v[] = { &a, &a, &a };

	cof_role = COF_ROLE_PREDICTOR;
	for (uint64_t i = 1; i <= WRITES; i++) {
		atomic_store(&a.sampled.total, i);
		a.number = (uint32_t)i;
		a.code.start = i;
		a.code.end = 2 * i;		/* size i */
		cof_stats_file_hot(stats, v, calls, 3);
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

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(every_counter_reads_as_it_was_written),
		T(rows_are_read_and_empty_ones_left_out),
		T(overhead_is_own_time_over_guest_time),
		T(a_figure_of_two_looks_is_of_the_time_between),
		T(what_is_saved_is_what_trials_measured),
		T(all_builds_count_as_builds),
		T(the_loop_is_what_mode_and_counters_say),
		T(every_usual_drop_is_a_counter),
		T(every_figure_finds_its_counters),
		T(a_larger_header_and_larger_elements_are_read),
		T(a_reader_never_sees_half_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
