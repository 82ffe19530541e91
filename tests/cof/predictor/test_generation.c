/*
 * test_generation.c - one generation: versions looked at, counted and forecast
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "generation.h"

static void only_active_versions_are_weighed(void **state)
{
	(void)state;
	sample_first(5);
	go();
	assert_int_equal(gen.weighed, 5);
	assert_int_equal(gen.samples, 1000 + 998 + 996 + 994 + 992);
	assert_int_equal(gen.hits.n, 5);
	sample(40, 1);
	go();
	assert_int_equal(gen.weighed, 6);	/* the hit list, and one */
	assert_int_equal(gen.samples, 1);
	assert_int_equal(cof_word_read(&v[41].word).generation, 0);
}

static void the_first_generation_picks_climbers(void **state)
{
	(void)state;
	sample_first(3);
	go();
	assert_true(gen.phase);
	assert_false(gen.compared);
	assert_int_equal(gen.n_forecasts, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct cof_forecast *f = &gen.forecast[i];

		assert_int_equal(f->list, COF_LIST_CLIMB);
		assert_ptr_equal(f->version, &v[i]);
		assert_int_equal(f->slot, i);
		assert_int_equal(f->weight, 1000 - 2 * i);
		assert_int_equal(f->climbed, 10);
		assert_int_equal(f->generation, 1);
	}
	assert_int_equal(gen.not_chosen, 3);	/* as the heaviest */
	assert_int_equal(gen.candidates, 6);
}

static void a_steady_phase_picks_the_ten_heaviest(void **state)
{
	(void)state;
	go_steady(30);
	assert_int_equal(gen.n_forecasts, 10);
	for (uint32_t i = 0; i < 10; i++) {
		assert_ptr_equal(gen.forecast[i].version, &v[i]);
		assert_int_equal(gen.forecast[i].list, COF_LIST_HEAVY);
	}
	assert_int_equal(gen.candidates, 10);	/* none climbs */
	assert_int_equal(gen.heavy.n, 30);
}

static void climbers_that_are_not_chosen_are_counted(void **state)
{
	(void)state;
	go_steady(5);
	sample_first(5);
	sample(20, 4);
	sample(21, 2);
	go();
	assert_int_equal(gen.list, COF_LIST_HEAVY);
	assert_int_equal(gen.n_forecasts, 5);
	assert_int_equal(gen.not_chosen, 2);
	assert_ptr_equal(gen.climb.at[0].version, &v[20]);
	assert_int_equal(gen.climb.at[0].climbed, 3);
	assert_int_equal(gen.climb.at[1].climbed, 2);
}

static void climbers_are_ranked_by_buckets_and_then_by_weight(void **state)
{
	(void)state;
	opts.hit_weight = 60000;
	sample(0, 40);
	go();
	sample(0, 300);		/* 40, bucket 6, to 320, bucket 9: 3 buckets */
	sample(1, 9);		/* 4 buckets */
	sample(2, 8);
	sample(3, 15);
	go();
	assert_int_equal(gen.climb.n, 4);
	assert_ptr_equal(gen.climb.at[0].version, &v[3]);
	assert_ptr_equal(gen.climb.at[1].version, &v[1]);
	assert_ptr_equal(gen.climb.at[2].version, &v[2]);
	assert_ptr_equal(gen.climb.at[3].version, &v[0]);
}

static void settled_versions_count_once_and_give_way(void **state)
{
	(void)state;
	go_steady(15);
	for (uint32_t i = 0; i < 4; i++)
		cof_word_flags(&v[2 * i].word, COF_WORD_SETTLED, 0);
	sample_first(15);
	go();
	assert_int_equal(gen.settled, 4);
	assert_int_equal(gen.n_forecasts, 10);
	assert_int_equal(gen.candidates, 14);
	assert_ptr_equal(gen.forecast[0].version, &v[1]);
	assert_ptr_equal(gen.forecast[9].version, &v[13]);
	assert_int_equal(gen.similarity, 1000);
}

static void settled_or_dead_since_the_fold_is_not_forecast(void **state)
{
	(void)state;
	go_steady(6);
	cof_word_flags(&v[5].word, COF_WORD_SETTLED, 0);
	sample_first(6);
	begin_and_touch();
	cof_word_flags(&v[0].word, COF_WORD_SETTLED, 0);
	cof_word_flags(&v[1].word, COF_WORD_DEAD, 0);
	cof_word_flags(&v[5].word, COF_WORD_DEAD, 0);
	end();
	assert_int_equal(gen.settled, 1);
	assert_int_equal(gen.dead, 2);
	assert_int_equal(gen.n_forecasts, 3);
	assert_ptr_equal(gen.forecast[0].version, &v[2]);
	assert_int_equal(gen.forecast[0].slot, 2);
	assert_int_equal(gen.candidates, 6);
}

static void a_dead_version_is_dropped_from_everything(void **state)
{
	(void)state;
	go_steady(6);
	cof_word_flags(&v[2].word, COF_WORD_DEAD, 0);
	cof_word_flags(&v[30].word, COF_WORD_DEAD, 0);
	sample_first(6);
	sample(30, 500);
	go();
	assert_int_equal(gen.hits.n, 5);
	assert_int_equal(gen.heavy.n, 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_ptr_not_equal(gen.hits.at[i], &v[2]);
	assert_int_equal(gen.n_forecasts, 5);
	for (uint32_t i = 0; i < 5; i++)
		assert_ptr_not_equal(gen.forecast[i].version, &v[2]);
	assert_int_equal(gen.climb.n, 0);
}

static void an_empty_generation_changes_nothing(void **state)
{
	uint64_t pushed;

	(void)state;
	go_steady(6);
	pushed = gen.heavy_past.pushed;
	go();
	assert_int_equal(gen.samples, 0);
	assert_int_equal(gen.candidates, 0);
	assert_false(gen.compared);
	assert_false(gen.phase);
	assert_int_equal(gen.list, COF_LIST_HEAVY);
	assert_int_equal(gen.heavy_past.pushed, pushed);
	assert_int_equal(gen.heavy.n, 6);	/* for the stats file */
}

static void samples_of_dead_versions_only_make_it_empty(void **state)
{
	(void)state;
	cof_word_flags(&v[0].word, COF_WORD_DEAD, 0);
	sample(0, 100);
	go();
	assert_int_equal(gen.samples, 0);
	assert_int_equal(gen.weighed, 0);
	assert_int_equal(gen.hits.n, 0);
}

static void a_version_touched_twice_is_folded_once(void **state)
{
	(void)state;
	sample(0, 100);		/* joins */
	sample(1, 5);		/* does not */
	touched[n_touched++] = &v[0];
	touched[n_touched++] = &v[1];
	go();
	assert_int_equal(gen.weighed, 2);
	assert_int_equal(gen.hits.n, 1);
	assert_int_equal(gen.heavy.n, 1);
	assert_int_equal(gen.climb.n, 2);
	sample(0, 100);		/* a member, and touched */
	go();
	assert_int_equal(gen.weighed, 1);
	assert_int_equal(gen.hits.n, 1);
	assert_int_equal(cof_word_read(&v[0].word).weight, 100);
}

static void samples_that_come_meanwhile_are_not_lost(void **state)
{
	(void)state;
	sample(0, 100);
	sample(1, 5);
	begin_and_touch();
	sample(0, 7);		/* a member now */
	sample(1, 6);
	cof_generation_touch(&gen, touched, n_touched, &opts);
	end();
	assert_int_equal(cof_word_read(&v[0].word).weight, 100);
	assert_int_equal(cof_word_read(&v[0].word).calls, 7);
	assert_int_equal(cof_word_read(&v[1].word).weight, 11);
	assert_int_equal(gen.hits.n, 2);
	assert_int_equal(gen.climb.n, 2);	/* each once */
	n_touched = 0;
	go();
	assert_int_equal(cof_word_read(&v[0].word).weight, 53);
}

static void both_kinds_of_top_lists_are_kept(void **state)
{
	(void)state;
	sample_first(12);
	go();
	assert_int_equal(gen.heavy_past.pushed, 1);
	assert_int_equal(gen.climb_past.pushed, 1);
	assert_int_equal(cof_top_lists_at(&gen.heavy_past, 0)->n, 10);
	assert_int_equal(cof_top_lists_at(&gen.climb_past, 0)->generation, 1);
	sample_first(12);
	go();
	assert_int_equal(gen.heavy_past.pushed, 2);
	assert_int_equal(gen.climb_past.pushed, 1);	/* none climbed */
}

static void the_option_says_what_is_similar(void **state)
{
	(void)state;
	go_steady(1);
	opts.similar_permille = 0;
	for (uint32_t i = 40; i < 50; i++)
		sample(i, 2000);
	go();
	assert_true(gen.compared);
	assert_false(gen.phase);
	assert_int_equal(gen.list, COF_LIST_HEAVY);
	opts.similar_permille = 1000;
	sample(50, 60000);
	go();
	assert_true(gen.phase);
	assert_int_equal(gen.list, COF_LIST_CLIMB);
}

/* Any events in any order keep the balance; list and flags agree. */
static void random_events_keep_the_balance(void **state)
{
	uint64_t samples = 0, taken = 0;

	(void)state;
	srand(1);
	for (int g = 0; g < 3000; g++) {
		uint32_t hits = 0;

		for (int i = rand() % 40; i > 0; i--) {
			uint32_t k = (uint32_t)rand() % MANY;
			uint32_t n = 1 + (uint32_t)rand() % 30;

			if (cof_word_read(&v[k].word).flags & COF_WORD_DEAD)
				continue;
			sample(k, n);
			samples += n;
		}
		begin_and_touch();
		for (int i = rand() % 4; i > 0; i--) {
			_Atomic uint64_t *word = &v[rand() % MANY].word;

			switch (rand() % 8) {
			case 0:
				cof_word_flags(word, COF_WORD_DEAD, 0);
				break;
			case 1: case 2: case 3:
				cof_word_flags(word, COF_WORD_SETTLED, 0);
				break;
			default:
				cof_word_flags(word, 0, COF_WORD_SETTLED);
			}
		}
		end();
		taken += gen.samples;
		assert_int_equal(taken, samples);

		/* Dead versions are dropped, then come back as new ones. */
		cof_generation_begin(&gen, ++generation, &opts);
		end();
		for (uint32_t i = 0; i < MANY; i++) {
			struct cof_word w = cof_word_read(&v[i].word);

			if (w.flags & COF_WORD_DEAD)
				atomic_store(&v[i].word, 0);
			else
				hits += w.flags & COF_WORD_HIT;
		}
		assert_int_equal(gen.hits.n, hits);
	}
	assert_true(samples > 100000);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(only_active_versions_are_weighed),
		T(the_first_generation_picks_climbers),
		T(a_steady_phase_picks_the_ten_heaviest),
		T(climbers_that_are_not_chosen_are_counted),
		T(climbers_are_ranked_by_buckets_and_then_by_weight),
		T(settled_versions_count_once_and_give_way),
		T(settled_or_dead_since_the_fold_is_not_forecast),
		T(a_dead_version_is_dropped_from_everything),
		T(an_empty_generation_changes_nothing),
		T(samples_of_dead_versions_only_make_it_empty),
		T(a_version_touched_twice_is_folded_once),
		T(samples_that_come_meanwhile_are_not_lost),
		T(both_kinds_of_top_lists_are_kept),
		T(the_option_says_what_is_similar),
		T(random_events_keep_the_balance),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
