/*
 * test_history_run.c - an instance remembers its run, and acts on earlier ones
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hosts/toy/toy.h"
#include "balance.h"
#include "history.h"
#include "history/collect.h"
#include "history/courier.h"
#include "history/cpu.h"
#include "history/history.h"
#include "instance.h"

static struct toy toy;
static struct cof_host host;
static struct cof_history_id id;
static struct cof_history_past past;
static char options[300];
static char logged[8192];

static void keep_log(void *ctx, const char *line)
{
	(void)ctx;
	strncat(logged, line, sizeof(logged) - strlen(logged) - 1);
	strncat(logged, "\n", sizeof(logged) - strlen(logged) - 1);
}

static int setup(void **state)
{
	(void)state;
	unsetenv("COF_OPTIONS");
	history_dir_make();
	toy = (struct toy){ 0 };
	host = toy_host(&toy);
	id = history_id(1);
	host.identity = id.byte;
	host.identity_bytes = id.bytes;
	host.log = keep_log;
	logged[0] = '\0';
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_history_past_free(&past);
	history_dir_remove();
	return 0;
}

/* Long waits: what is tested here is not who gives up first. */
static void start(const char *more)
{
	char why[COF_WHY_BYTES] = "";

	snprintf(options, sizeof(options), "stats=none,verbose,"
		 "history_wait_ms=10000,history=%s,%s", history_path, more);
	if (cof_start(&host, options, why, &toy.cof) != 0)
		fail_msg("%s", why);
}

static void stop(void)
{
	cof_stop(toy.cof);
	cof_free(toy.cof);
}

static enum cof_history_result load(void)
{
	cof_history_past_free(&past);
	return history_load(history_path, 1, &past);
}

/* As one of this libcof on this CPU. */
static struct cof_history_record record_here(int64_t number, uint32_t methods)
{
	struct cof_history_record r = history_record(1, number, methods);

	memset(r.run.libcof, 0, sizeof(r.run.libcof));
	strcpy(r.run.libcof, COF_VERSION_STRING);
	memset(r.run.cpu, 0, sizeof(r.run.cpu));
	cof_history_cpu(r.run.cpu);
	return r;
}

static void remember(struct cof_history_record r)
{
	assert_int_equal(history_save(history_path, r, &history_limits),
			 COF_HISTORY_OK);
}

static int threads_of_ours(void)
{
	DIR *dir = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char path[300], name[32] = "";
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%s/comm",
			 e->d_name);
		f = fopen(path, "r");
		if (!f)
			continue;
		n += fgets(name, sizeof(name), f) &&
		     strncmp(name, "cof-", 4) == 0;
		fclose(f);
	}
	closedir(dir);
	return n;
}

static void expect_threads(int n)
{
	for (int i = 0; i < 5000 && threads_of_ours() != n; i++)
		nap();
	assert_int_equal(threads_of_ours(), n);
}

/* -- What is left ----------------------------------------------------------- */

static void a_run_leaves_its_record(void **state)
{
	(void)state;
	start("mode=auto,source=none");
	cof_program(toy.cof, "/usr/bin/toy");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	stop();
	assert_int_equal(load(), COF_HISTORY_OK);
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

static void exit_leaves_one_too(void **state)
{
	(void)state;
	start("mode=full,source=none");
	cof_exit(toy.cof);
	assert_int_equal(load(), COF_HISTORY_OK);
	assert_true(past.run[0].ended);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_AS_TOLD);
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

static uint64_t shape(void *ctx, void *method)
{
	(void)ctx;
	return ((const struct toy_method *)method)->turns;
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
	assert_int_equal(load(), COF_HISTORY_OK);
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
		/* Every rank once, in no order. */
		atomic_store(&m[i].method->samples, 1 + i * 7 % MANY);
	}
	cof_thread_detach(toy.cof);
	cof_count_set(&toy.cof->flow->sampler.taken, MANY * MANY);
	cof_count_set(&toy.cof->flow->sampler.counted, MANY * MANY);
	stop();
	assert_int_equal(load(), COF_HISTORY_OK);
	assert_int_equal(past.n_methods, COF_HISTORY_METHODS);
	for (uint32_t i = 0; i < COF_HISTORY_METHODS; i++)
		assert_int_equal(past.method[i].samples, MANY - i);
}

static void gains_are_those_of_the_current_versions(void **state)
{
	struct toy_method kept = { .name = "kept", .turns = 64, .step = 1 };
	struct toy_method open = { .name = "open", .turns = 64, .step = 1 };
	struct cof_history_record r = { .run.loop = true };
	struct cof_version *v;

	(void)state;
	start("mode=full,source=none");
	toy_add(&toy, &kept);
	toy_add(&toy, &open);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&kept, 1);
	toy_call(&open, 1);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	cof_count_set(&toy.cof->flow->sampler.period_ns, 1000000);
	v = atomic_load(&kept.method->current);
	v->plan = COF_PLAN_SPEED;
	v->speedup = 1.5;
	v->audited = COF_AUDIT_KEPT;
	v->gain_permille = 200;
	v->samples = 1000;
	kept.method->samples = 1100;
	v = atomic_load(&open.method->current);
	v->plan = COF_PLAN_SPEED;
	v->speedup = 2;
	v->samples = 500;
	open.method->samples = 500;
	assert_true(cof_history_collect(toy.cof, 0, 0, &r));
	/* 1 s, a fifth gained; half was promised; 0.5 s, twice as fast. */
	assert_int_equal(r.run.measured_ns, SECOND / 5);
	assert_int_equal(r.run.promised_ns, SECOND);
	assert_int_equal(r.run.untried_ns, SECOND / 2);
	assert_string_equal(r.method[0].name, "kept");
	assert_int_equal(r.method[0].promised_permille, 1500);
	assert_int_equal(r.method[0].measured_permille, 1200);
	assert_int_equal(r.method[0].audit, COF_HISTORY_KEPT);
	assert_int_equal(r.method[1].measured_permille, 0);
	cof_history_record_free(&r);
	cof_free(toy.cof);
}

static void a_forked_child_leaves_none(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	start("mode=full,source=none");
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		cof_exit(toy.cof);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(load(), COF_HISTORY_NOTHING);
	stop();
	assert_int_equal(load(), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 1);
}

/* -- What auto does --------------------------------------------------------- */

static void remember_no_gain(void)
{
	for (int i = 1; i < 3; i++) {
		struct cof_history_record r = record_here(i, 0);

		r.run.measured_ns = 0;
		remember(r);
	}
}

static void without_a_gain_nothing_of_libcof_is_left(void **state)
{
	struct toy_method m = { .name = "m", .turns = 64, .step = 3 };
	int before = threads_of_ours();

	(void)state;
	remember_no_gain();
	start("mode=auto");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_OFF);
	assert_null(toy.cof->optimizer);
	expect_threads(before);		/* the courier has gone */
	assert_non_null(strstr(logged, "turns itself off"));
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_add(&toy, &m);
	assert_int_equal(toy_call(&m, 5).value, 5 + 64 * 3);
	cof_thread_detach(toy.cof);
	stop();
	assert_int_equal(load(), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_NO_GAIN);
	assert_false(past.run[0].loop);
	assert_string_equal(past.name, "/usr/bin/guest");	/* kept */
}

static void another_mode_is_not_turned_off(void **state)
{
	(void)state;
	remember_no_gain();
	start("mode=full,source=none");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_FULL);
	assert_non_null(toy.cof->optimizer);
	stop();
}

static void short_runs_turn_it_off_and_their_time_is_kept(void **state)
{
	(void)state;
	for (int i = 1; i < 3; i++) {
		struct cof_history_record r = record_here(i, 0);

		r.run.cpu_ns = SECOND / 100;
		remember(r);
	}
	start("mode=auto");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_OFF);
	stop();
	assert_int_equal(load(), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 3);
	assert_int_equal(past.run[0].verdict, COF_HISTORY_SHORT);
	assert_true(past.run[0].cpu_ns > 0);
	assert_true(past.run[0].ended);
}

static const struct cof_version *current(const struct toy_method *m)
{
	return atomic_load(&m->method->current);
}

/* Until m runs in a version built after the first; with which plan? */
static enum cof_plan call_until_built(struct toy_method *m)
{
	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	for (int i = 0; i < 5000 && current(m)->number == 0; i++)
		nap();
	assert_int_equal(toy_call(m, 1).value, 1 + (long)m->turns * m->step);
	return current(m)->plan;
}

static void the_known_hot_set_is_built_without_a_sample(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 64, .step = 1 };
	struct toy_method other = { .name = "other", .turns = 64, .step = 1 };
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	r.method[0].plan = COF_PLAN_AVERAGE;
	remember(r);
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	toy_add(&toy, &other);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&other, 1);
	assert_int_equal(call_until_built(&m0), COF_PLAN_AVERAGE);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	assert_int_equal(current(&other)->number, 0);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_int_equal(toy.cof->flow->optimizer.known, 2);
	assert_null(unbalanced(toy.cof->flow));
	cof_free(toy.cof);
}

static void one_of_another_shape_is_not_believed(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 64, .step = 1 };
	struct toy_method m1 = { .name = "m1", .turns = 128, .step = 1 };
	struct cof_history_record r = record_here(1, 2);

	(void)state;
	host.shape = shape;
	r.method[0].shape = 32;
	r.method[1].shape = 128;
	remember(r);
	start("mode=auto,source=none");
	toy_add(&toy, &m0);
	toy_add(&toy, &m1);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	assert_int_equal(call_until_built(&m1), COF_PLAN_SPEED);
	assert_int_equal(current(&m0)->number, 0);
	cof_thread_detach(toy.cof);
	stop();
}

static _Atomic unsigned counted, collected, loaded, refuse;
static char loaded_bytes[32];

static int count_it(void *ctx, void *ir, const int *quit,
		    struct cof_version_desc *out)
{
	atomic_fetch_add(&counted, 1);
	return host.build(ctx, ir, COF_PLAN_STATIC, quit, out);
}

static int collect_it(void *ctx, void *ir)
{
	(void)ctx, (void)ir;
	atomic_fetch_add(&collected, 1);
	return 0;
}

static int load_it(void *ctx, void *method, const void *buf, size_t bytes)
{
	(void)ctx, (void)method;
	if (bytes < sizeof(loaded_bytes))
		memcpy(loaded_bytes, buf, bytes);
	atomic_fetch_add(&loaded, 1);
	return refuse ? -1 : 0;
}

static void a_known_profile_takes_the_place_of_counting(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	counted = collected = loaded = refuse = 0;
	host.instrument = count_it;
	host.collect = collect_it;
	host.profile_load = load_it;
	remember(record_here(1, 1));
	start("mode=auto,source=none,generation_ms=20");
	toy_add(&toy, &m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	assert_int_equal(call_until_built(&m0), COF_PLAN_PROFILE);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_int_equal(loaded, 1);
	assert_string_equal(loaded_bytes, "seen to run");
	assert_int_equal(counted, 0);
	assert_int_equal(collected, 0);
	assert_int_equal(toy.cof->flow->profile.built, 1);
	assert_null(unbalanced(toy.cof->flow));
	cof_free(toy.cof);
}

static void a_profile_the_host_refuses_is_dropped(void **state)
{
	struct toy_method m0 = { .name = "m0", .turns = 1024, .step = 1 };

	(void)state;
	counted = collected = loaded = 0;
	refuse = 1;
	host.instrument = count_it;
	host.collect = collect_it;
	host.profile_load = load_it;
	remember(record_here(1, 1));
	start("mode=auto,source=none,generation_ms=20");
	toy_add(&toy, &m0);
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	toy_call(&m0, 1);
	for (int i = 0; i < 5000 && !loaded; i++)
		nap();
	assert_int_equal(toy_call(&m0, 1).value, 1 + 1024);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_int_equal(loaded, 1);
	assert_int_equal(toy.cof->flow->profile.built, 0);
	assert_null(unbalanced(toy.cof->flow));
	cof_free(toy.cof);
}

/* -- A store that does not do ------------------------------------------------ */

static void a_locked_store_keeps_nobody_waiting(void **state)
{
	char why[COF_WHY_BYTES] = "";
	int before = threads_of_ours();
	sqlite3 *db;

	(void)state;
	remember_no_gain();
	assert_int_equal(sqlite3_open(history_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
			 SQLITE_OK);
	snprintf(options, sizeof(options), "stats=none,verbose,mode=auto,"
		 "source=none,history_wait_ms=20,history=%s", history_path);
	assert_int_equal(cof_start(&host, options, why, &toy.cof), 0);
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	assert_non_null(strstr(logged, "history: ignored: it did not answer"));
	stop();		/* and this does not wait for the lock either */
	assert_non_null(strstr(logged, "this run is not remembered"));
	sqlite3_close(db);
	expect_threads(before);		/* the courier, on its last errand */
}

static void a_place_that_is_refused_is_said_once(void **state)
{
	const char *at;

	(void)state;
	snprintf(history_path, sizeof(history_path), "/proc/nothing/here.db");
	start("mode=auto,source=none");
	assert_int_equal(toy.cof->opts.mode, COF_MODE_AUTO);
	stop();
	at = strstr(logged, "/proc/nothing");
	assert_non_null(at);
	assert_null(strstr(at + 1, "/proc/nothing"));
}

/* -- The courier ------------------------------------------------------------- */

static void the_programs_file_descriptors_are_its_own(void **state)
{
	char why[COF_HISTORY_WHY];
	struct cof_history_courier *c =
		cof_history_courier_new(history_path, &history_limits);
	int next = dup(0);

	(void)state;
	assert_non_null(c);
	close(next);
	for (int i = 0; i < 30; i++) {
		struct cof_history_record r = history_record(1, i, 50);

		cof_history_courier_save(c, &r, 0, why);
		for (int k = 0; k < 2000; k++) {
			int fd = dup(0);

			assert_int_equal(fd, next);
			close(fd);
		}
	}
	{
		struct cof_history_record r = history_record(1, 99, 50);

		assert_int_equal(cof_history_courier_save(
				c, &r, 10 * (uint64_t)SECOND, why),
				 COF_HISTORY_OK);
	}
	cof_history_courier_leave(c);
	assert_int_equal(load(), COF_HISTORY_OK);
}

/* All of the process, whatever their names: one may not have its own yet. */
static int threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	int n = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));)
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void a_courier_saves_what_it_has_before_it_goes(void **state)
{
	char why[COF_HISTORY_WHY];
	int before = threads();

	(void)state;
	for (int i = 0; i < 10; i++) {
		struct cof_history_record r = history_record(1, i, 5);
		struct cof_history_courier *c =
			cof_history_courier_new(history_path, &history_limits);

		assert_non_null(c);
		cof_history_courier_save(c, &r, 0, why);
		cof_history_courier_leave(c);
	}
	/* Nobody but couriers may use the file while there are any. */
	for (int i = 0; i < 10000 && threads() > before; i++)
		nap();
	assert_int_equal(threads(), before);
	assert_int_equal(load(), COF_HISTORY_OK);
	assert_int_equal(past.n_runs, 10);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_run_leaves_its_record),
		T(without_an_identity_nothing_is_kept),
		T(nor_with_mode_off_or_history_none),
		T(the_hot_methods_are_in_it_with_their_profiles),
		T(of_many_methods_the_hottest_are_kept),
		T(gains_are_those_of_the_current_versions),
		T(a_forked_child_leaves_none),
		T(without_a_gain_nothing_of_libcof_is_left),
		T(another_mode_is_not_turned_off),
		T(short_runs_turn_it_off_and_their_time_is_kept),
		T(the_known_hot_set_is_built_without_a_sample),
		T(one_of_another_shape_is_not_believed),
		T(a_known_profile_takes_the_place_of_counting),
		T(a_profile_the_host_refuses_is_dropped),
		T(a_locked_store_keeps_nobody_waiting),
		T(a_place_that_is_refused_is_said_once),
		T(the_programs_file_descriptors_are_its_own),
		T(a_courier_saves_what_it_has_before_it_goes),
		T(exit_leaves_one_too),		/* last: its threads go on */
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
