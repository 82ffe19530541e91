/*
 * test_predictor.c - PRE's thread, between the ring from SAM and that to P/O
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/role.h"
#include "instance.h"
#include "predictor/forecast.h"
#include "predictor/predictor.h"
#include "stats/stats_file.h"

#define MANY  20u
#define WORDS 1024u

static struct cof         cof;
static char               name[] = "m";
static uint64_t           touched_words[WORDS], forecast_words[WORDS];
static struct cof_method  method[MANY];
static struct cof_version version[MANY];

static int setup(void **state)
{
	(void)state;
	memset(&cof, 0, sizeof(cof));
	memset(version, 0, sizeof(version));
	cof_opts_init(&cof.opts);
	cof.opts.generation_ms = 1;
	for (uint32_t i = 0; i < MANY; i++) {
		method[i].name = name;
		version[i].method = &method[i];
	}
	cof_ring_init(&cof.touched, touched_words, WORDS);
	cof_ring_init(&cof.forecasts, forecast_words, WORDS);
	cof.stats_file = cof_stats_file_open("none", "test", "");
	assert_non_null(cof.stats_file);
	cof.flow = cof.stats_file->flow;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_role = COF_ROLE_APP;
	cof_predictor_free(&cof);
	assert_null(cof.predictor);
	cof_stats_file_close(cof.stats_file);
	return 0;
}

static void sample(struct cof_version *v)
{
	uint64_t record = (uint64_t)(uintptr_t)v;
	uint64_t was = atomic_fetch_add(&v->word, (uint64_t)1 << 32);

	if (cof_word_unpack(was).calls == 0)
		while (!cof_ring_push(&cof.touched, &record, 1))
			sched_yield();
}

static void check_balance(void)
{
	struct cof_flow_predictor *f = &cof.flow->predictor;

	assert_int_equal(f->candidates, f->forecast + f->drop_NOT_CHOSEN +
			 f->drop_SETTLED + f->drop_DEAD + f->drop_QUEUE_FULL);
}

static void a_full_queue_is_counted(void **state)
{
	uint64_t w[COF_FORECAST_WORDS];
	int got = 0;

	(void)state;
	cof_role = COF_ROLE_PREDICTOR;
	cof_ring_init(&cof.forecasts, forecast_words, 16);
	assert_int_equal(cof_predictor_new(&cof), 0);
	for (uint32_t i = 0; i < 10; i++)
		sample(&version[i]);
	cof_predictor_turn(&cof);
	while (cof_ring_pop(&cof.forecasts, w, COF_FORECAST_WORDS))
		got++;
	assert_int_equal(got, 4);	/* of 3 words and a length each */
	assert_int_equal(cof.flow->predictor.forecast, 4);
	assert_int_equal(cof.flow->predictor.drop_QUEUE_FULL, 6);
	check_balance();
}

static void a_turn_shows_what_it_did(void **state)
{
	struct cof_flow_predictor *f = &cof.flow->predictor;

	(void)state;
	cof_role = COF_ROLE_PREDICTOR;
	assert_int_equal(cof_predictor_new(&cof), 0);
	for (int i = 0; i < 8; i++)
		sample(&version[0]);
	cof_predictor_turn(&cof);
	cof_predictor_turn(&cof);
	assert_int_equal(cof.generation, 2);
	assert_int_equal(cof.pre_turns, 2);
	assert_int_equal(f->generations, 2);
	assert_int_equal(f->empty, 1);
	assert_int_equal(f->weighed, 2);
	assert_int_equal(f->hits, 1);
	assert_int_equal(f->phase_changes, 0);
	assert_int_equal(cof.stats_file->n_phases, 1);
	assert_true(cof.stats_file->header->updated_ns > 0);
	assert_int_equal(cof.stats_file->hot[0].weight, 4);
}

static void a_touched_version_is_taken_off_the_ring_dead_or_not(void **state)
{
	uint64_t left;

	(void)state;
	cof_role = COF_ROLE_PREDICTOR;
	assert_int_equal(cof_predictor_new(&cof), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		sample(&version[i]);
		if (i % 2)
			cof_word_flags(&version[i].word, COF_WORD_DEAD, 0);
	}
	cof_predictor_turn(&cof);
	assert_int_equal(cof_ring_pop(&cof.touched, &left, 1), 0);
	assert_int_equal(cof.flow->predictor.weighed, MANY / 2);
}

static uint64_t turns(void)
{
	return atomic_load_explicit(&cof.pre_turns, memory_order_acquire);
}

static void wait_turns(uint64_t n)
{
	uint64_t until = turns() + n;

	while (turns() < until)
		sched_yield();
}

static _Atomic int stop;

static void *be_picker(void *arg)
{
	uint64_t *taken = arg, w[COF_FORECAST_WORDS];

	while (!atomic_load(&stop)) {
		while (cof_ring_pop(&cof.forecasts, w, COF_FORECAST_WORDS)) {
			struct cof_forecast f = cof_forecast_unpack(w);

			cof_word_flags(&f.version->word, COF_WORD_SETTLED, 0);
			(*taken)++;
		}
		sched_yield();
	}
	while (cof_ring_pop(&cof.forecasts, w, COF_FORECAST_WORDS))
		(*taken)++;
	return NULL;
}

static void the_thread_takes_every_sample_and_hands_on_every_forecast(
	void **state)
{
	uint64_t taken = 0;
	pthread_t picker;

	(void)state;
	atomic_store(&stop, 0);
	assert_int_equal(cof_predictor_new(&cof), 0);
	assert_int_equal(cof_predictor_start(&cof), 0);
	assert_int_equal(pthread_create(&picker, NULL, be_picker, &taken), 0);
	for (uint32_t round = 0; round < 200; round++) {
		for (uint32_t i = 0; i < MANY; i++)
			for (uint32_t k = 0; k <= i; k++)
				sample(&version[i]);
		if (round % 20 == 0)
			wait_turns(1);
	}
	wait_turns(2);
	cof_predictor_stop(&cof);
	atomic_store(&stop, 1);
	pthread_join(picker, NULL);

	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(cof_word_read(&version[i].word).calls, 0);
	assert_true(taken > 0);
	assert_int_equal(cof.flow->predictor.forecast, taken);
	assert_true(cof.flow->predictor.pre_ns > 0);
	check_balance();
}

static void generations_go_on_while_nothing_is_sampled(void **state)
{
	(void)state;
	cof.opts.generation_ms = 400;
	assert_int_equal(cof_predictor_new(&cof), 0);
	assert_int_equal(cof_predictor_start(&cof), 0);
	cof_stage_wake(cof.wake.predictor);
	wait_turns(1);
	cof_predictor_stop(&cof);
	cof_predictor_stop(&cof);
	assert_int_equal(cof.flow->predictor.empty, turns());
}

static void without_a_predictor_wake_and_stop_do_nothing(void **state)
{
	(void)state;
	cof_stage_wake(cof.wake.predictor);
	cof_predictor_stop(&cof);
	cof_predictor_free(&cof);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_full_queue_is_counted),
		T(a_turn_shows_what_it_did),
		T(a_touched_version_is_taken_off_the_ring_dead_or_not),
		T(the_thread_takes_every_sample_and_hands_on_every_forecast),
		T(generations_go_on_while_nothing_is_sampled),
		T(without_a_predictor_wake_and_stop_do_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
