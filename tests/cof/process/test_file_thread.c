/*
 * test_file_thread.c - jobs run on threads with file descriptors of their own
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "cof.h"
#include "instance.h"

static struct cof cof;

static int set_up(void **state)
{
	(void)state;
	memset(&cof, 0, sizeof(cof));
	cof_file_thread_new(&cof.file_thread);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	cof_file_thread_free(&cof.file_thread);
	return 0;
}

struct seen {
	pthread_t thread;
	int       opened;
	int       of_program;	/* is a descriptor of the program's there */
	int       asked;
	sigset_t  mask;
};

static void look(void *arg)
{
	struct seen *s = arg;

	s->thread = pthread_self();
	s->of_program = fcntl(s->asked, F_GETFD);
	s->opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
	pthread_sigmask(SIG_SETMASK, NULL, &s->mask);
}

static void its_descriptors_are_its_own(void **state)
{
	struct seen s = { .asked = open("/dev/null", O_RDONLY) };

	(void)state;
	assert_true(s.asked >= 0);
	cof_call_with_private_files(&cof, look, &s);
	assert_false(pthread_equal(s.thread, pthread_self()));
	assert_int_equal(s.of_program, -1);
	assert_int_equal(s.opened, 3);		/* but for standard streams */
	assert_true(sigismember(&s.mask, SIGTERM));
	assert_true(fcntl(s.asked, F_GETFD) >= 0);
	close(s.asked);
}

/* The reader sees the end of the pipe though the thread goes on. */
static void it_holds_nothing_of_the_programs_open(void **state)
{
	struct seen s = { .asked = 0 };
	int pipe_[2];
	char byte;

	(void)state;
	assert_int_equal(pipe(pipe_), 0);
	cof_call_with_private_files(&cof, look, &s);
	close(pipe_[1]);
	assert_int_equal(read(pipe_[0], &byte, 1), 0);
	close(pipe_[0]);
}

static void one_thread_serves_one_after_the_other(void **state)
{
	struct seen a = { .asked = 0 }, b = { .asked = 0 };

	(void)state;
	cof_call_with_private_files(&cof, look, &a);
	cof_call_with_private_files(&cof, look, &b);
	assert_true(pthread_equal(a.thread, b.thread));
	assert_int_equal(b.opened, 4);		/* look() closes none */
}

static sem_t began, goes_on;

static void wait_there(void *arg)
{
	look(arg);
	sem_post(&began);
	sem_wait(&goes_on);
}

static void *ask(void *arg)
{
	cof_call_with_private_files(&cof, wait_there, arg);
	return NULL;
}

static void who_finds_it_busy_does_not_wait(void **state)
{
	struct seen slow = { .asked = 0 }, second = { .asked = 0 };
	pthread_t thread;

	(void)state;
	sem_init(&began, 0, 0);
	sem_init(&goes_on, 0, 0);
	assert_int_equal(pthread_create(&thread, NULL, ask, &slow), 0);
	sem_wait(&began);
	second.asked = slow.opened;
	cof_call_with_private_files(&cof, look, &second);
	assert_false(pthread_equal(second.thread, slow.thread));
	assert_false(pthread_equal(second.thread, pthread_self()));
	/* The other thread's descriptors are not there, either. */
	assert_int_equal(second.of_program, -1);
	sem_post(&goes_on);
	pthread_join(thread, NULL);
}

static void once_stopped_each_has_its_own(void **state)
{
	struct seen a = { .asked = 0 }, b = { .asked = 0 };

	(void)state;
	cof_call_with_private_files(&cof, look, &a);
	cof_file_thread_stop(&cof.file_thread);
	cof_call_with_private_files(&cof, look, &b);
	assert_int_equal(b.opened, 3);
	assert_false(pthread_equal(b.thread, pthread_self()));
}

static void without_an_instance_it_is_a_call(void **state)
{
	struct seen s = { .asked = 0 };

	(void)state;
	cof_call_with_private_files(NULL, look, &s);
	assert_true(pthread_equal(s.thread, pthread_self()));
	assert_true(sigismember(&s.mask, SIGTERM));
	close(s.opened);
}

static void *is_cancelled(void *arg)
{
	pthread_cancel(pthread_self());
	cof_call_with_private_files(&cof, look, arg);
	((struct seen *)arg)->asked = -2;
	pthread_testcancel();
	return NULL;
}

static void who_is_cancelled_waits_for_it(void **state)
{
	struct seen s = { .asked = 0 };
	pthread_t thread;
	void *value;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, is_cancelled, &s), 0);
	pthread_join(thread, &value);
	assert_ptr_equal(value, PTHREAD_CANCELED);
	assert_int_equal(s.asked, -2);
	cof_call_with_private_files(&cof, look, &s);
}

static void burn(void *arg)
{
	uint64_t until = cof_clock_read(CLOCK_THREAD_CPUTIME_ID) + 2000000;

	(void)arg;
	while (cof_clock_read(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

static void what_it_takes_is_counted(void **state)
{
	struct cof_flow flow = { 0 };

	(void)state;
	cof.flow = &flow;
	cof_call_with_private_files(&cof, burn, NULL);
	assert_true(cof_count_get(&flow.optimizer.files_ns) >= 2000000);
	cof.flow = NULL;
}

static void in_a_forks_child_it_is_a_call(void **state)
{
	struct seen s = { .asked = 0 };
	int status;
	pid_t child;

	(void)state;
	cof_call_with_private_files(&cof, look, &s);
	child = fork();
	if (child == 0) {
		cof_call_with_private_files(&cof, look, &s);
		_exit(!pthread_equal(s.thread, pthread_self()));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		TEST(its_descriptors_are_its_own),
		TEST(it_holds_nothing_of_the_programs_open),
		TEST(one_thread_serves_one_after_the_other),
		TEST(who_finds_it_busy_does_not_wait),
		TEST(once_stopped_each_has_its_own),
		TEST(without_an_instance_it_is_a_call),
		TEST(in_a_forks_child_it_is_a_call),
		TEST(who_is_cancelled_waits_for_it),
		TEST(what_it_takes_is_counted),
#undef TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
