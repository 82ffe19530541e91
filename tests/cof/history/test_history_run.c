/*
 * test_history_run.c - the record that an instance leaves of its run
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/syscall.h>
#include <unistd.h>

#include "history/collect.h"
#include "history_run.h"
#include "sampler/sampler_private.h"
#include "tests/support/child.h"
#include "threads/threads.h"

static void a_run_leaves_its_record(void **state)
{
	(void)state;
	start("mode=auto,source=none");
	cof_program(toy.cof, "/usr/bin/toy");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_string_equal(past.name, "/usr/bin/toy");
	assert_string_equal(past.host, "toy");
	assert_int_equal(past.n_runs, 1);
	assert_int_equal(past.run[0].pid, getpid());
	assert_int_equal(past.run[0].verdict, COF_HISTORY_FIRST);
	assert_int_equal(past.run[0].mode, COF_MODE_AUTO);
	assert_true(past.run[0].loop);
	assert_true(past.run[0].ended);
	assert_true(past.run[0].wall_ns > 0);
	assert_true(past.run[0].cpu_ns > 0);
	assert_non_null(strstr(logged, "not known yet"));
}

static void that_of_a_forks_child_has_no_end(void **state)
{
	(void)state;
	host.is_child = 1;
	start("mode=auto,source=none");
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
	assert_true(past.run[0].loop);
	assert_false(past.run[0].ended);
}

static void exit_leaves_one_too(void **state)
{
	(void)state;
	start("mode=full,source=none");
	cof_exit(toy.cof);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_true(past.run[0].ended);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_AS_TOLD);
	toy.cof = NULL;		/* nothing frees it any more */
}

/* After cof_exit_async_safe(), no other thread joins SAM. */
static void join_sam(void)
{
	assert_int_equal(pthread_join(toy.cof->sampler->stage.thread, NULL), 0);
}

static void exit_anywhere_leaves_one_too(void **state)
{
	(void)state;
	start("mode=auto,source=none");
	cof_exit_async_safe(toy.cof);
	join_sam();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_true(past.run[0].ended);
	cof_exit(toy.cof);
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
	toy.cof = NULL;
}

static void exit_anywhere_does_not_wait_for_ever(void **state)
{
	(void)state;
	start("mode=auto,source=none,history_wait_ms=1");
	pthread_mutex_lock(&toy.cof->threads->lock);
	cof_exit_async_safe(toy.cof);
	pthread_mutex_unlock(&toy.cof->threads->lock);
	join_sam();
	toy.cof = NULL;
}

/* As after vfork(2), where the child has the parent's memory. */
static void a_childs_exit_leaves_the_parent_as_it_is(void **state)
{
	pid_t pid;

	(void)state;
	start("mode=auto,source=none");
	pid = (pid_t)syscall(SYS_fork);
	if (pid == 0) {
		cof_exit_async_safe(toy.cof);
		/* Not _exit(2), for which ThreadSanitizer takes a lock that a
		 * thread of the parent may have. */
		syscall(SYS_exit_group, atomic_load(&toy.cof->stopped));
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_not_equal(access(history_path, F_OK), 0);
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
}

static void without_an_identity_nothing_is_kept(void **state)
{
	(void)state;
	host.identity = NULL;
	start("mode=auto,source=none");
	assert_null(toy.cof->history);
	stop();
	host.identity = id.byte;
	host.identity_bytes = COF_HISTORY_ID_MIN - 1;
	start("mode=auto,source=none");
	assert_null(toy.cof->history);
	stop();
	assert_int_not_equal(access(history_path, F_OK), 0);
}

static void nor_with_mode_off_or_history_none(void **state)
{
	char why[COF_WHY_BYTES] = "";

	(void)state;
	start("mode=off");
	assert_null(toy.cof->history);
	stop();
	assert_int_equal(cof_start(&host, "stats=none,mode=auto,source=none,"
				   "history=none", why, &toy.cof), 0);
	assert_null(toy.cof->history);
	stop();
	assert_int_not_equal(access(history_path, F_OK), 0);
}

static size_t save_profile(void *ctx, void *method, void *buf, size_t bytes)
{
	const struct toy_method *m = method;

	(void)ctx;
	if (strcmp(m->name, "hot") != 0)
		return 0;
	if (bytes < 10000)
		return 10000;
	memset(buf, 'p', 10000);
	return 10000;
}

static void the_hot_methods_are_in_it_with_their_profiles(void **state)
{
	struct toy_method hot = { .name = "hot", .turns = 64, .step = 1 };
	struct toy_method warm = { .name = "warm", .turns = 128, .step = 1 };
	struct toy_method cold = { .name = "cold", .turns = 64, .step = 1 };

	(void)state;
	host.profile_save = save_profile;
	host.shape = shape;
	start("mode=auto,source=none");
	toy_add(&toy, &warm);
	toy_add(&toy, &hot);
	toy_add(&toy, &cold);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&hot, 1);
	toy_call(&warm, 1);
	toy_call(&cold, 1);
	cof_thread_detach(toy.cof);
	atomic_store(&hot.method->samples, 90);
	atomic_store(&warm.method->samples, 10);
	cof_count_set(&toy.cof->flow->sampler.taken, 100);
	cof_count_set(&toy.cof->flow->sampler.counted, 100);
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.samples, 100);
	assert_int_equal(past.n_methods, 2);
	assert_string_equal(past.method[0].name, "hot");
	assert_int_equal(past.method[0].shape, 64);
	assert_int_equal(past.method[0].samples, 90);
	assert_int_equal(past.method[0].profile_bytes, 10000);
	assert_string_equal(past.method[1].name, "warm");
	assert_null(past.method[1].profile);
}

#define MANY 1000

static void of_many_methods_the_hottest_are_kept(void **state)
{
	static struct toy_method m[MANY];
	static char name[MANY][16];

	(void)state;
	start("mode=full,source=none");
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(name[i], sizeof(name[i]), "m%u", i);
		m[i] = (struct toy_method){ .name = name[i], .turns = 64 };
		assert_int_equal(toy_add(&toy, &m[i]), 0);
		toy_call(&m[i], 1);
		/* Every number of samples once, in no order. */
		atomic_store(&m[i].method->samples, 1 + i * 7 % MANY);
	}
	cof_thread_detach(toy.cof);
	cof_count_set(&toy.cof->flow->sampler.taken, MANY * MANY);
	cof_count_set(&toy.cof->flow->sampler.counted, MANY * MANY);
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, COF_HISTORY_METHODS);
	for (uint32_t i = 0; i < COF_HISTORY_METHODS; i++)
		assert_int_equal(past.method[i].samples, MANY - i);
}

static void gains_are_those_of_a_run_with_the_current_versions(void **state)
{
	struct toy_method kept = { .name = "kept", .turns = 64, .step = 1 };
	struct toy_method open = { .name = "open", .turns = 64, .step = 1 };
	struct toy_method tried = { .name = "tried", .turns = 64, .step = 1 };
	struct toy_method back = { .name = "back", .turns = 64, .step = 1 };
	struct toy_method none = { .name = "none", .turns = 64, .step = 1 };
	struct toy_method refused = {
		.name = "refused", .turns = 64, .step = 1,
	};
	struct cof_history_record r = { .run.loop = true };
	struct cof_version *v;

	(void)state;
	start("mode=full,source=none");
	toy_add(&toy, &kept);
	toy_add(&toy, &open);
	toy_add(&toy, &tried);
	toy_add(&toy, &back);
	toy_add(&toy, &none);
	toy_add(&toy, &refused);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&kept, 1);
	toy_call(&open, 1);
	toy_call(&tried, 1);
	toy_call(&back, 1);
	toy_call(&none, 1);
	toy_call(&refused, 1);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	cof_count_set(&toy.cof->flow->sampler.sample_ns, 1000000);
	v = atomic_load(&kept.method->current);
	v->plan = COF_PLAN_SPEED;
	v->promise.speedup = 1.5;
	v->trial.state = COF_AUDIT_KEPT;
	v->trial.gain_permille = 250;
	v->trial.speed_permille = 1250;
	v->sampled.total = 1000;
	kept.method->samples = 1600;
	v = atomic_load(&open.method->current);
	v->plan = COF_PLAN_SPEED;
	v->promise.speedup = 2;
	v->sampled.total = 500;
	open.method->samples = 500;
	tried.method->trial.gain_permille = 1000;
	tried.method->trial.weight_permille = 750;
	/* Believed to be twice as fast. */
	tried.method->trial.promised_permille = 2442;
	tried.method->trial.plan = COF_PLAN_PROFILE;
	tried.method->samples = 200;
	back.method->samples = 400;
	back.method->trial.promised_permille = 2442;
	v = atomic_load(&back.method->current);
	v->trial.state = COF_AUDIT_BACK;
	none.method->samples = 300;
	refused.method->samples = 100;
	refused.method->build.not_worth = true;
	cof_count_set(&toy.cof->flow->sampler.taken, 3000);
	cof_count_set(&toy.cof->flow->sampler.counted, 3000);
	assert_true(cof_history_collect(toy.cof, 0, 0, &r));
	/*
	 *	method	time	measured	promised
	 *	kept	1 s	was 1.25 s	was 1.5 s
	 *	kept	0.6 s	will be 0.48 s	will be 0.4 s
	 *	open	0.5 s	-		twice as fast
	 *	tried	0.2 s	would be 0.1 s	(both turns of its trial)
	 */
	assert_int_equal(r.run.measured_ns,
			 SECOND / 4 + SECOND * 12 / 100 + SECOND / 10);
	assert_in_range(r.run.promised_ns,
			SECOND / 2 + SECOND / 5 + SECOND / 2 +
			SECOND * 118 / 1000,
			SECOND / 2 + SECOND / 5 + SECOND / 2 +
			SECOND * 119 / 1000);
	/* Believed are exp(-0.2) of the promises: 1.228 and 1.637. Of the
	 * trial, three quarters are known. The version taken back had its
	 * promise, too. */
	assert_in_range(r.run.checked_ns, SECOND * 614 / 1000,
			SECOND * 616 / 1000);
	assert_in_range(r.run.untried_ns, SECOND * 343 / 1000,
			SECOND * 345 / 1000);
	assert_int_equal(r.run.open, 300);
	assert_string_equal(r.method[0].name, "kept");
	assert_int_equal(r.method[0].promised_permille, 1500);
	assert_int_equal(r.method[0].measured_permille, 1250);
	assert_int_equal(r.method[0].audit, COF_HISTORY_KEPT);
	assert_int_equal(r.method[1].measured_permille, 0);
	assert_string_equal(r.method[4].name, "tried");
	assert_int_equal(r.method[4].plan, COF_PLAN_PROFILE);
	assert_int_equal(r.method[4].promised_permille, 2442);
	assert_int_equal(r.method[4].measured_permille, 2000);
	assert_int_equal(r.method[4].audit, COF_HISTORY_UNCLEAR);
	cof_history_record_free(&r);
	end_run();
}

static void a_forked_child_leaves_none(void **state)
{
	pid_t pid;

	(void)state;
	start("mode=full,source=none");
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		cof_exit(toy.cof);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	assert_int_equal(load(1), COF_HISTORY_NOTHING);
	stop();
	assert_int_equal(load(1), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup_run, teardown_run)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_run_leaves_its_record),
		T(that_of_a_forks_child_has_no_end),
		T(without_an_identity_nothing_is_kept),
		T(nor_with_mode_off_or_history_none),
		T(the_hot_methods_are_in_it_with_their_profiles),
		T(of_many_methods_the_hottest_are_kept),
		T(gains_are_those_of_a_run_with_the_current_versions),
		T(a_forked_child_leaves_none),
		T(a_childs_exit_leaves_the_parent_as_it_is),
		/* These come last: their threads go on. */
		T(exit_anywhere_leaves_one_too),
		T(exit_anywhere_does_not_wait_for_ever),
		T(exit_leaves_one_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
