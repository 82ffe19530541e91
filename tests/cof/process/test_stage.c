/*
 * test_stage.c - a stage's thread starts, sleeps, wakes and stops
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cof.h"
#include "process/stage.h"
#include "raise.h"

#define FOREVER UINT64_MAX

struct seen {
	struct cof_stage stage;
	enum cof_role    role;
	char             name[16];
	sigset_t         mask;
	_Atomic uint32_t rounds;
};

static void count_wakes(void *arg)
{
	struct seen *seen = arg;

	seen->role = cof_role;
	pthread_getname_np(pthread_self(), seen->name, sizeof(seen->name));
	pthread_sigmask(SIG_SETMASK, NULL, &seen->mask);
	while (cof_stage_sleep(&seen->stage, FOREVER))
		atomic_fetch_add(&seen->rounds, 1);
}

static void start(struct seen *seen, enum cof_role role, void (*run)(void *))
{
	cof_stage_init(&seen->stage, "cof-test", role, run, seen);
	assert_int_equal(cof_stage_start(&seen->stage), 0);
}

static void it_runs_with_its_role_and_name_and_all_signals_blocked(void **state)
{
	struct seen seen = { .rounds = 0 };
	sigset_t before, after;

	(void)state;
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	start(&seen, COF_ROLE_PREDICTOR, count_wakes);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	cof_stage_stop(&seen.stage);
	assert_int_equal(seen.role, COF_ROLE_PREDICTOR);
	assert_string_equal(seen.name, "cof-test");
	assert_true(sigismember(&seen.mask, SIGPROF));
	assert_true(sigismember(&seen.mask, SIGTERM));
	assert_true(sigismember(&seen.mask, SIGSEGV));
	for (int sig = 1; sig < NSIG; sig++)
		assert_int_equal(sigismember(&before, sig),
				 sigismember(&after, sig));
	assert_int_equal(cof_role, COF_ROLE_APP);
}

/* The linker puts it in front of pthread_create(3), for the test and libcof. */
int __real_pthread_create(pthread_t *, const pthread_attr_t *,
			  void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *arg);

static int said_ours, said_not;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			  void *(*run)(void *), void *arg)
{
	(*(cof_creates_thread() ? &said_ours : &said_not))++;
	return __real_pthread_create(thread, attr, run, arg);
}

static void *ask(void *ours)
{
	*(int *)ours = cof_creates_thread();
	return NULL;
}

struct mask {
	sigset_t seen;
	sem_t    said;
};

static void *say_mask(void *arg)
{
	struct mask *mask = arg;

	pthread_sigmask(SIG_BLOCK, NULL, &mask->seen);
	sem_post(&mask->said);
	return NULL;
}

static void its_creation_can_be_told_from_the_programs(void **state)
{
	struct seen seen = { .rounds = 0 };
	struct mask mask;
	pthread_t thread;
	int ours = -1;

	(void)state;
	sem_init(&mask.said, 0, 0);
	said_ours = said_not = 0;
	start(&seen, COF_ROLE_SAMPLER, count_wakes);
	assert_int_equal(said_ours, 1);
	assert_int_equal(cof_thread_create(say_mask, &mask), 0);
	sem_wait(&mask.said);
	for (int sig = 1; sig < 32; sig++)
		assert_int_equal(sigismember(&mask.seen, sig),
				 sig != SIGKILL && sig != SIGSTOP);
	assert_int_equal(cof_thread_create(NULL, NULL), -COF_E_INVAL);
	assert_int_equal(said_ours, 2);
	assert_int_equal(said_not, 0);
	assert_int_equal(pthread_create(&thread, NULL, ask, &ours), 0);
	pthread_join(thread, NULL);
	cof_stage_stop(&seen.stage);
	assert_int_equal(said_ours, 2);
	assert_int_equal(said_not, 1);
	assert_int_equal(ours, 0);
}

static void every_wake_ends_a_sleep(void **state)
{
	struct seen seen = { .rounds = 0 };

	(void)state;
	start(&seen, COF_ROLE_SAMPLER, count_wakes);
	for (uint32_t i = 0; i < 1000; i++) {
		cof_stage_wake(&seen.stage);
		while (atomic_load(&seen.rounds) <= i)
			sched_yield();
	}
	cof_stage_stop(&seen.stage);
	assert_int_equal(atomic_load(&seen.rounds), 1000);
}

static void wake_then_sleep(void *arg)
{
	struct seen *seen = arg;

	/* Nothing else wakes it: if these are lost, it sleeps for ever. */
	cof_stage_wake(&seen->stage);
	cof_stage_wake(&seen->stage);
	cof_stage_sleep(&seen->stage, FOREVER);
	/* The wakes count as one, so now the time must run out. */
	cof_stage_sleep(&seen->stage, 1000);
	atomic_store(&seen->rounds, 2);
}

static void a_wake_before_the_sleep_counts(void **state)
{
	struct seen seen = { .rounds = 0 };

	(void)state;
	start(&seen, COF_ROLE_SAMPLER, wake_then_sleep);
	while (atomic_load(&seen.rounds) < 2)
		sched_yield();
	cof_stage_stop(&seen.stage);
}

static void stop_is_fine_twice_and_without_start(void **state)
{
	struct cof_stage stage;
	struct seen seen = { .rounds = 0 };

	(void)state;
	memset(&stage, 0, sizeof(stage));
	cof_stage_stop(&stage);
	start(&seen, COF_ROLE_SAMPLER, count_wakes);
	cof_stage_stop(&seen.stage);
	assert_true(cof_stage_stopping(&seen.stage));
	cof_stage_stop(&seen.stage);
}

static void in_a_forked_child_stop_joins_nothing(void **state)
{
	struct seen seen = { .rounds = 0 };
	int status = -1;
	pid_t pid;

	(void)state;
	start(&seen, COF_ROLE_SAMPLER, count_wakes);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(120);	/* a join would never return */
		cof_stage_stop(&seen.stage);
		_exit(7);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	cof_stage_stop(&seen.stage);
}

static bool is_mapped(const char *at)
{
	unsigned char present;
	long page = sysconf(_SC_PAGESIZE);

	return mincore((void *)((uintptr_t)at & -(uintptr_t)page), 1,
		       &present) == 0;
}

static void its_stack_is_not_in_a_forked_child(void **state)
{
	struct seen seen = { .rounds = 0 };
	const char *bottom, *record;
	int status;
	pid_t pid;

	(void)state;
	skip_under_tsan();	/* it knows no threads in children */
	start(&seen, COF_ROLE_SAMPLER, count_wakes);
	cof_stage_wake(&seen.stage);
	while (seen.rounds == 0)
		sched_yield();
	bottom = seen.stage.stack.at;
	record = (const char *)(uintptr_t)seen.stage.thread;
	assert_non_null(bottom);
	assert_true(is_mapped(bottom));
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		struct seen own = { .rounds = 0 };

		alarm(120);
		if (is_mapped(bottom) || !is_mapped(record))
			_exit(1);
		/* libc's list of threads is whole. */
		cof_stage_init(&own.stage, "cof-own", COF_ROLE_SAMPLER,
			       count_wakes, &own);
		if (cof_stage_start(&own.stage) != 0)
			_exit(2);
		cof_stage_stop(&own.stage);
		_exit(7);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 7);
	cof_stage_stop(&seen.stage);
	assert_null(seen.stage.stack.at);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			it_runs_with_its_role_and_name_and_all_signals_blocked),
		cmocka_unit_test(its_creation_can_be_told_from_the_programs),
		cmocka_unit_test(every_wake_ends_a_sleep),
		cmocka_unit_test(a_wake_before_the_sleep_counts),
		cmocka_unit_test(stop_is_fine_twice_and_without_start),
		cmocka_unit_test(in_a_forked_child_stop_joins_nothing),
		cmocka_unit_test(its_stack_is_not_in_a_forked_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
