/*
 * test_store.c - what is saved comes back, up to the limits
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "../history_store.h"

/* -- What is kept ---------------------------------------------------------- */

static void nothing_is_known_before_the_first_record(void **state)
{
	(void)state;
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
	assert_false(exists(""));	/* loading makes no file */
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	assert_int_equal(load(2), COF_HISTORY_NOTHING);
}

static void a_record_comes_back_as_it_was(void **state)
{
	struct cof_history_record r = history_record(1, 1, 5);
	struct cof_history_run run = r.run;

	(void)state;
	run.measured_ns = -5;
	run.once_ns = 3;
	run.checked_ns = 6;
	run.open = 9;
	r.run = run;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	r = history_record(1, 1, 5);
	assert_string_equal(past.name, r.name);
	assert_string_equal(past.host, r.host);
	assert_int_equal(past.n_runs, 1);
	assert_memory_equal(&past.run[0], &run, sizeof(run));
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
	/* And it keeps its rank among the others. */
	assert_int_equal(past.run[0].began_ns, history_run(2).began_ns);
	assert_int_equal(past.run[1].began_ns, history_run(1).began_ns);
}

/* Saves a run with 3 hot methods, then one with 4 and so many samples. */
static void save_two_runs(int64_t samples)
{
	struct cof_history_record r = history_record(1, 2, 4);

	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	r.run.samples = r.run.counted = r.run.recompiled = samples;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
}

static void a_short_run_does_not_say_what_is_hot(void **state)
{
	struct cof_history_record r;

	(void)state;
	save_two_runs(10);
	r = history_record(1, 3, 0);
	r.run.loop = false;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.n_methods, 3);
	assert_int_equal(past.samples, 2400);
}

static void a_run_that_was_twice_as_fast_does(void **state)
{
	(void)state;
	save_two_runs(1200);
	assert_int_equal(save(2, 3, 1), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, 4);
	assert_int_equal(past.samples, 2400 + 1200);
}

static const struct cof_history_method *method_named(const char *name)
{
	for (uint32_t i = 0; i < past.n_methods; i++)
		if (strcmp(past.method[i].name, name) == 0)
			return &past.method[i];
	fail_msg("no %s", name);
	return NULL;
}

static void samples_of_runs_add_up_and_the_rest_is_of_the_latest(void **state)
{
	struct cof_history_record r = history_record(1, 2, 2);

	(void)state;
	assert_int_equal(save(1, 1, 3), COF_HISTORY_OK);
	r.method[1].samples = 5000;
	r.method[1].shape = 77;		/* its body has changed */
	r.method[1].audit = COF_HISTORY_TAKEN_BACK;
	r.method[1].measured_permille = 900;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, 3);
	assert_string_equal(past.method[0].name, "m1");
	assert_int_equal(past.method[0].samples, 500 + 5000);
	assert_int_equal(past.method[0].shape, 77);
	assert_int_equal(past.method[0].audit, COF_HISTORY_TAKEN_BACK);
	assert_int_equal(past.method[0].measured_permille, 900);
	assert_int_equal(method_named("m0")->samples, 2000);
	assert_int_equal(method_named("m2")->samples, 333);
	assert_int_equal(method_named("m2")->audit, COF_HISTORY_KEPT);
}

/* Longer ago than the hot set looks back. */
static void runs_of_long_ago_do_not_say_what_is_hot(void **state)
{
	(void)state;
	assert_int_equal(save(1, 1, 4), COF_HISTORY_OK);
	for (int i = 2; i < 7; i++)
		assert_int_equal(save(1, i, 3), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, 3);
	assert_int_equal(past.samples, 5 * 2400);
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

/* -- Limits ---------------------------------------------------------------- */

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

static int save_few(unsigned program, int number)
{
	struct cof_history_limits few = history_limits;

	few.programs = 2;
	return history_save(history_path, history_record(program, number, 1),
			    &few);
}

/* A server began before all of them, and was saved now and then. */
static void a_program_that_still_runs_stays(void **state)
{
	(void)state;
	for (int i = 2; i < 6; i++) {
		assert_int_equal(save_few(1, 1), COF_HISTORY_OK);
		assert_int_equal(save_few((unsigned)i, i), COF_HISTORY_OK);
		assert_int_equal(load(1), COF_HISTORY_OK);
	}
}

/* A limit that was lowered is kept after some records, not by the first one. */
static void a_lower_limit_drops_some_programs_at_a_time(void **state)
{
	unsigned kept = 0;

	(void)state;
	for (int i = 1; i < 60; i++)
		assert_int_equal(save((unsigned)i, i, 1), COF_HISTORY_OK);
	for (int i = 60; i < 64; i++)
		assert_int_equal(save_few((unsigned)i, i), COF_HISTORY_OK);
	assert_int_equal(load(63), COF_HISTORY_OK);
	for (unsigned i = 1; i < 64; i++)
		kept += load(i) == COF_HISTORY_OK;
	assert_int_equal(kept, 2);
}

static void runs_that_carry_nothing_push_out_nothing(void **state)
{
	struct cof_history_limits few = history_limits;

	(void)state;
	few.runs = 3;
	for (int i = 0; i < 5; i++)
		assert_int_equal(history_save(history_path,
					      history_record(1, i, 9), &few),
				 COF_HISTORY_OK);
	for (int i = 5; i < 50; i++)
		assert_int_equal(history_save(history_path,
					      history_empty_record(1, i),
					      &few), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 6);
	assert_int_equal(past.run[0].began_ns, history_run(49).began_ns);
	assert_int_equal(past.run[3].began_ns, history_run(4).began_ns);
	assert_int_equal(past.n_methods, 9);	/* the hot set of the three */
	assert_non_null(past.method[0].profile);
	assert_int_equal(past.samples, 3 * history_run(0).counted);
}

static void the_hot_set_is_of_short_runs_if_there_are_no_others(void **state)
{
	struct cof_history_record r = history_record(1, 1, 4);

	(void)state;
	r.run.cpu_ns = SECOND / 3;
	r.run.builds = r.run.installed = 0;
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, 4);
}

static void programs_that_carry_nothing_go_before_others(void **state)
{
	struct cof_history_limits few = history_limits;

	(void)state;
	few.programs = 2;
	assert_int_equal(save(1, 1, 9), COF_HISTORY_OK);
	for (unsigned i = 2; i < 5; i++)
		assert_int_equal(history_save(history_path,
					      history_empty_record(i, i),
					      &few), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(load(3), COF_HISTORY_NOTHING);
	assert_int_equal(load(4), COF_HISTORY_OK);
	assert_int_equal(history_save(history_path, history_record(5, 5, 9),
				      &few), COF_HISTORY_OK);
	assert_int_equal(history_save(history_path, history_empty_record(6, 6),
				      &few), COF_HISTORY_OK);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(load(5), COF_HISTORY_OK);
	assert_int_equal(load(6), COF_HISTORY_NOTHING);
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

		r.method[1].profile = cof_mem_alloc(100000);
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
		r.method[i].profile = cof_mem_alloc(500000);
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

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(nothing_is_known_before_the_first_record),
		T(a_record_comes_back_as_it_was),
		T(saving_a_run_again_replaces_its_record),
		T(a_short_run_does_not_say_what_is_hot),
		T(samples_of_runs_add_up_and_the_rest_is_of_the_latest),
		T(runs_of_long_ago_do_not_say_what_is_hot),
		T(a_run_that_was_twice_as_fast_does),
		T(the_latest_profile_of_a_method_is_kept),
		T(programs_are_found_by_the_end_of_their_path),
		T(the_oldest_runs_go_first),
		T(the_programs_not_run_for_longest_go_first),
		T(a_program_that_still_runs_stays),
		T(a_lower_limit_drops_some_programs_at_a_time),
		T(runs_that_carry_nothing_push_out_nothing),
		T(the_hot_set_is_of_short_runs_if_there_are_no_others),
		T(programs_that_carry_nothing_go_before_others),
		T(the_file_does_not_grow_beyond_its_limit),
		T(a_record_beyond_all_limits_changes_nothing),
		T(a_record_that_cannot_be_is_not_saved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
