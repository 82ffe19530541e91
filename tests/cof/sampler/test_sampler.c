/*
 * test_sampler.c - samples go from a source to the COF word, and none is lost
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "predictor/predictor.h"
#include "tests/support/balance.h"
#include "tests/support/bare_test.h"
#include "tests/support/valgrind.h"
#include "threads/poke.h"

static const struct cof_flow_sampler *flow(void)
{
	return &b.cof.flow->sampler;
}

/* Run the guest's code until `n` samples of it are counted. */
static void run_until_counted(uint64_t n)
{
	struct patience p = patience_begin();

	while (cof_count_get(&flow()->counted) < n && !patience_is_over(&p))
		bare_code(&b)(200000);
	assert_true(cof_count_get(&flow()->counted) >= n);
}

/* Sample with `options`, and check what does not depend on the source. */
static void is_sampled(const char *options, const char *source)
{
	char why[COF_WHY_BYTES] = "";

	assert_int_equal(bare_open(&b, options), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, why), 0);
	if (strcmp(b.cof.stats_file->header->source, source) != 0) {
		print_message("%s\n", b.cof.stats_file->header->source_why);
		bare_close(&b);
		skip();
	}
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_count_get(&b.cof.flow->threads.unsampled), 0);
	run_until_counted(20);
	cof_thread_detach(&b.cof);
	cof_sampler_stop(&b.cof);
	assert_null(unbalanced(b.cof.flow));
	assert_int_equal(b.version.sampled.total,
			 cof_count_get(&flow()->counted));
	assert_int_equal(cof_word_read(&b.version.word).calls,
			 cof_count_get(&flow()->counted));
	assert_int_equal(bare_touched(&b), 1);
	assert_true(atomic_load(&b.cof.sam_turns) > 0);
	assert_true(atomic_load(&b.cof.first_sample_ns) > 0);
	assert_true(cof_count_get(&flow()->delivery_ns) > 0);
	assert_true(cof_count_get(&flow()->sam_ns) > 0);
	assert_true(cof_count_get(&flow()->guest_ns) > 0);
	bare_close(&b);
}

static void a_thread_is_sampled_by_its_timer(void **state)
{
	(void)state;
	is_sampled("source=timer", "timer");
}

static void a_thread_is_sampled_by_the_process_timer(void **state)
{
	struct itimerval it;

	(void)state;
	is_sampled("source=itimer,signal=27", "itimer");
	assert_int_equal(getitimer(ITIMER_PROF, &it), 0);
	assert_int_equal(it.it_value.tv_sec + it.it_value.tv_usec, 0);
}

static void a_thread_is_sampled_by_perfs_clock(void **state)
{
	(void)state;
	skip_under_valgrind();	/* perf */
	is_sampled("source=perf,event=task-clock", "perf-clock");
}

static void a_thread_is_sampled_by_what_auto_finds(void **state)
{
	(void)state;
	skip_under_valgrind();	/* perf */
	assert_int_equal(bare_open(&b, NULL), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_string_not_equal(b.cof.stats_file->header->source, "none");
	assert_non_null(
		strstr(b.cof.stats_file->header->source_why, ": in use"));
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	run_until_counted(3);
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static void another_signal_will_do(void **state)
{
	char options[80];

	(void)state;
	snprintf(options, sizeof(options), "source=timer,signal=%d",
		 SIGRTMIN + 3);
	is_sampled(options, "timer");
}

static void the_process_timer_of_the_program_is_left_to_it(void **state)
{
	struct itimerval hour = { .it_value.tv_sec = 3600 }, off = { 0 }, now;

	(void)state;
	assert_int_equal(setitimer(ITIMER_PROF, &hour, NULL), 0);
	assert_int_equal(bare_open(&b, "source=itimer,signal=27"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_string_equal(b.cof.stats_file->header->source, "none");
	assert_non_null(strstr(b.cof.stats_file->header->source_why,
			       "the program uses ITIMER_PROF"));
	/* Without a source threads may still attach and detach. */
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_count_get(&b.cof.flow->threads.unsampled), 1);
	cof_thread_detach(&b.cof);
	assert_int_equal(cof_count_get(&b.cof.flow->threads.unsampled), 0);
	bare_close(&b);
	assert_int_equal(getitimer(ITIMER_PROF, &now), 0);
	assert_true(now.it_value.tv_sec > 3000);
	setitimer(ITIMER_PROF, &off, NULL);
}

static void what_was_asked_for_by_name_must_be_there(void **state)
{
	char why[COF_WHY_BYTES] = "";

	(void)state;
	assert_int_equal(bare_open(&b, "event=no-such-event"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, why), -COF_E_INVAL);
	assert_non_null(strstr(why, "no-such-event"));
	assert_null(b.cof.sampler);
	bare_close(&b);

	assert_int_equal(bare_open(&b, "source=replay,replay=/no/such"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, why), -COF_E_INVAL);
	assert_non_null(strstr(why, "replay: "));
	bare_close(&b);
}

static void a_replayed_file_is_sampled_without_a_thread(void **state)
{
	char path[] = "/tmp/cof-replay-XXXXXX", options[120];
	struct cof_method method = { .name = (char *)(uintptr_t)"fib" };
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_true(dprintf(fd, "samples 100 fib+2\nsample @10\n"
				"wait 1\nsample fib\n") > 0);
	close(fd);
	snprintf(options, sizeof(options), "source=replay,replay=%s", path);
	assert_int_equal(bare_open(&b, options), 0);
	method.current = &b.version;
	b.cof.methods = &method;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	wait_until(cof_count_get(&flow()->taken) == 102, b.cof.flow);
	cof_sampler_stop(&b.cof);
	assert_int_equal(cof_count_get(&flow()->counted), 101);
	assert_int_equal(cof_count_get(&flow()->drop_NATIVE), 1);
	bare_close(&b);
	unlink(path);
}

static void a_poke_takes_no_sample(void **state)
{
	struct cof_thread *self;
	uint64_t before, after;
	struct patience p;

	(void)state;
	assert_int_equal(bare_open(&b, "source=none"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	self = cof_thread_self;
	for (int i = 0; i < 3; i++) {
		before = cof_count_get(&self->handler_tsc);
		pthread_mutex_lock(&b.cof.threads->lock);
		assert_int_equal(cof_poke(&b.cof, self), 0);
		pthread_mutex_unlock(&b.cof.threads->lock);
		after = before;
		p = patience_begin();
		while (after == before && !patience_is_over(&p)) {
			bare_code(&b)(200000);
			after = cof_count_get(&self->handler_tsc);
		}
		assert_true(after > before);	/* the handler ran */
	}
	assert_int_equal(cof_count_get(&self->taken), 0);
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

static _Atomic int poked;

static void *poke_until_refused(void *arg)
{
	struct cof_thread *t = arg;
	int err;

	do {
		pthread_mutex_lock(&b.cof.threads->lock);
		err = cof_poke(&b.cof, t);
		pthread_mutex_unlock(&b.cof.threads->lock);
		atomic_fetch_add(&poked, err == 0);
	} while (err == 0 || atomic_load(&poked) == 0);
	return NULL;
}

static void pokes_may_meet_start_and_stop(void **state)
{
	pthread_t thread;

	(void)state;
	for (int i = 0; i < 20; i++) {
		atomic_store(&poked, 0);
		assert_int_equal(bare_open(&b, "source=none"), 0);
		assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
		assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
		assert_int_equal(pthread_create(&thread, NULL,
						poke_until_refused,
						cof_thread_self), 0);
		while (atomic_load(&poked) < 10)
			bare_code(&b)(2000);
		cof_sampler_stop(&b.cof);
		pthread_join(thread, NULL);
		assert_false(cof_thread_self->has_poke);
		cof_thread_detach(&b.cof);
		bare_close(&b);
	}
}

/* PRE has no thread in these tests, so a wake is only counted. */
static uint32_t wakes_of_pre(void)
{
	/* Its stage is its first member. */
	const struct cof_stage *stage = (const void *)b.cof.predictor;

	return atomic_load(&((struct cof_stage *)(uintptr_t)stage)->wakes);
}

static uint64_t now_ns;

static uint64_t clock_of_the_test(clockid_t id)
{
	(void)id;
	return now_ns;
}

/* Run SAM's rounds without its thread, a millisecond apart. */
static void step_until_taken(uint64_t n)
{
	cof_role = COF_ROLE_SAMPLER;
	cof_jitinfo_reader_enter();
	while (cof_count_get(&flow()->taken) < n) {
		cof_sampler_step(&b.cof, now_ns);
		now_ns += 1000000;
		assert_true(now_ns < 60000000000u);
	}
	cof_jitinfo_reader_leave();
	cof_role = COF_ROLE_APP;
}

static void samples_after_a_pause_wake_pre_once(void **state)
{
	char path[] = "/tmp/cof-replay-XXXXXX", options[120];
	struct cof_method method = { .name = (char *)(uintptr_t)"fib" };
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	/* Native samples do not go to PRE. */
	assert_true(dprintf(fd, "samples 9 @10\nwait 300\nsamples 9 @10\n"
				"samples 5 fib\nsample @10\n") > 0);
	close(fd);
	snprintf(options, sizeof(options),
		 "source=replay,replay=%s,generation_ms=50", path);
	assert_int_equal(bare_open(&b, options), 0);
	assert_int_equal(cof_predictor_new(&b.cof), 0);
	method.current = &b.version;
	b.cof.methods = &method;
	assert_int_equal(wakes_of_pre(), 0);
	now_ns = 1000000000;
	cof_clock_injected = clock_of_the_test;
	b.cof.stepped = true;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	step_until_taken(9);
	assert_int_equal(wakes_of_pre(), 0);
	step_until_taken(24);
	assert_int_equal(now_ns, 1301000000);
	cof_sampler_stop(&b.cof);
	cof_clock_injected = NULL;
	assert_int_equal(cof_count_get(&flow()->counted), 5);
	assert_int_equal(wakes_of_pre(), 1);
	cof_predictor_free(&b.cof);
	bare_close(&b);
	unlink(path);
}

static void a_full_ring_is_counted(void **state)
{
	struct cof_thread *self;
	struct patience p;

	(void)state;
	/* SAM does not run, and a ring of 64 words, 32 samples, fills. */
	assert_int_equal(bare_open(&b, "source=timer,ring_lg=6,"
				       "budget_permille=0"), 0);
	b.cof.stepped = true;
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	self = cof_thread_self;
	p = patience_begin();
	while (!cof_count_get(&self->ring_full) && !patience_is_over(&p))
		bare_code(&b)(200000);
	cof_thread_detach(&b.cof);
	cof_sampler_stop(&b.cof);
	assert_true(cof_count_get(&flow()->drop_RING_FULL) > 0);
	assert_null(unbalanced(b.cof.flow));
	bare_close(&b);
}

static void an_instance_samples_on_after_another_has_stopped(void **state)
{
	(void)state;
	assert_int_equal(bare_open(&other, "source=timer"), 0);
	assert_int_equal(cof_sampler_start(&other.cof, NULL, NULL), 0);
	assert_int_equal(bare_open(&b, "source=timer"), 0);
	assert_int_equal(cof_sampler_start(&b.cof, NULL, NULL), 0);
	bare_close(&other);
	assert_int_equal(cof_thread_attach(&b.cof, NULL, NULL), 0);
	run_until_counted(3);
	cof_thread_detach(&b.cof);
	bare_close(&b);
}

#define T(name) cmocka_unit_test_teardown(name, bare_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_thread_is_sampled_by_its_timer),
		T(a_thread_is_sampled_by_the_process_timer),
		T(a_thread_is_sampled_by_perfs_clock),
		T(a_thread_is_sampled_by_what_auto_finds),
		T(another_signal_will_do),
		T(the_process_timer_of_the_program_is_left_to_it),
		T(what_was_asked_for_by_name_must_be_there),
		T(a_replayed_file_is_sampled_without_a_thread),
		T(a_poke_takes_no_sample),
		T(pokes_may_meet_start_and_stop),
		T(samples_after_a_pause_wake_pre_once),
		T(a_full_ring_is_counted),
		T(an_instance_samples_on_after_another_has_stopped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
