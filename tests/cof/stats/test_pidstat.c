/*
 * test_pidstat.c - a process is told from another with the same pid
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stats/pidstat.h"

#define TAIL "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 98765 20 21\n"

static int parse(const char *text, struct cof_pidstat *out)
{
	return cof_pidstat_parse(text, strlen(text), out);
}

static void a_plain_line_is_parsed(void **state)
{
	struct cof_pidstat s;

	(void)state;
	assert_int_equal(parse("12 (cat) S " TAIL, &s), 0);
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.threads, 17);
	assert_int_equal(s.start_ticks, 98765);
}

static void a_command_may_hold_spaces_and_parentheses(void **state)
{
	struct cof_pidstat s;

	(void)state;
	assert_int_equal(parse("12 (a) R 7 (b) T " TAIL, &s), 0);
	assert_int_equal(s.state, 'T');
	assert_int_equal(s.start_ticks, 98765);
	assert_int_equal(parse("12 () ) ))) Z " TAIL, &s), 0);
	assert_int_equal(s.state, 'Z');
}

static void a_cut_or_foreign_text_is_refused(void **state)
{
	static const char whole[] = "12 (cat) S " TAIL;
	struct cof_pidstat s;

	(void)state;
	assert_int_equal(parse("", &s), -1);
	assert_int_equal(parse("12 cat S 1 2 3", &s), -1);
	assert_int_equal(parse("12 (cat) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 "
			       "15 16 17 18 x 20", &s), -1);
	/* Up to the space before field 22. */
	for (size_t n = 0; n <= strlen(whole) - strlen("98765 20 21\n"); n++)
		assert_int_equal(cof_pidstat_parse(whole, n, &s), -1);
}

static void a_process_reads_its_own(void **state)
{
	struct cof_pidstat self, by_pid;

	(void)state;
	assert_int_equal(cof_pidstat_read(0, &self), 0);
	assert_int_equal(cof_pidstat_read(getpid(), &by_pid), 0);
	assert_int_equal(self.state, 'R');
	assert_true(self.start_ticks > 0);
	assert_int_equal(self.start_ticks, by_pid.start_ticks);
}

static pid_t start_child(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			pause();
	assert_true(pid > 0);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void a_process_that_is_gone_is_an_error(void **state)
{
	struct cof_pidstat s;
	pid_t pid = start_child();

	(void)state;
	end_child(pid);
	assert_true(cof_pidstat_read(pid, &s) < 0);
	assert_true(cof_pidstat_maps(pid, 1, 1) < 0);
}

/* A file of one page, and the id of the process that maps it. */
static void *map_file(struct cof_pidstat_id *id)
{
	char path[] = "/tmp/test_pidstat.XXXXXX";
	struct cof_pidstat self;
	int fd = mkstemp(path);
	struct stat st;
	void *p;

	assert_true(fd >= 0);
	unlink(path);
	assert_int_equal(ftruncate(fd, 4096), 0);
	assert_int_equal(fstat(fd, &st), 0);
	p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(p, MAP_FAILED);
	close(fd);
	assert_int_equal(cof_pidstat_read(0, &self), 0);
	*id = (struct cof_pidstat_id){
		.pid = getpid(), .start_ticks = self.start_ticks,
		.pid_namespace = cof_pidstat_namespace(),
		.dev = st.st_dev, .ino = st.st_ino,
	};
	return p;
}

static void a_mapped_file_is_found_until_it_is_unmapped(void **state)
{
	struct cof_pidstat_id id;
	void *p = map_file(&id);

	(void)state;
	assert_int_equal(cof_pidstat_maps(0, id.dev, id.ino), 1);
	assert_int_equal(cof_pidstat_maps(0, id.dev, id.ino + 1), 0);
	assert_int_equal(cof_pidstat_maps(0, id.dev + 1, id.ino), 0);
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_RUNNING);
	munmap(p, 4096);
	assert_int_equal(cof_pidstat_maps(0, id.dev, id.ino), 0);
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
}

static void a_file_is_found_behind_many_mappings(void **state)
{
	enum { N = 300 };
	struct cof_pidstat_id id;
	void *p = map_file(&id), *q[N];

	(void)state;
	/* Some below, some above; alternate protections do not merge. */
	for (int i = 0; i < N; i++)
		q[i] = mmap(NULL, 4096, i % 2 ? PROT_READ : PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_int_equal(cof_pidstat_maps(0, id.dev, id.ino), 1);
	for (int i = 0; i < N; i++)
		munmap(q[i], 4096);
	munmap(p, 4096);
}

static void a_reused_pid_is_dead(void **state)
{
	struct cof_pidstat_id id;
	void *p = map_file(&id);

	(void)state;
	id.start_ticks++;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
	munmap(p, 4096);
}

static void a_pid_of_another_namespace_says_nothing(void **state)
{
	struct cof_pidstat_id id;
	void *p = map_file(&id);

	(void)state;
	id.pid_namespace++;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_UNKNOWN);
	id.pid_namespace = 0;		/* not known: taken for the caller's */
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_RUNNING);
	munmap(p, 4096);
}

static void a_pid_that_cannot_be_is_dead(void **state)
{
	struct cof_pidstat_id id = { .pid = 0 };

	(void)state;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
	id.pid = -1;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
}

static void *pauses(void *arg)
{
	while (arg != NULL)
		pause();
	return NULL;
}

/* As a program does whose main() calls pthread_exit(3). */
static void one_whose_first_thread_ended_lives_on(void **state)
{
	struct cof_pidstat_id id;
	void *p = map_file(&id);
	struct cof_pidstat now;
	pthread_t thread;
	pid_t pid = fork();

	(void)state;
	if (pid == 0) {
		if (pthread_create(&thread, NULL, pauses, &id) != 0)
			_exit(1);
		syscall(SYS_exit, 0);
	}
	assert_true(pid > 0);
	do {
		assert_int_equal(cof_pidstat_read(pid, &now), 0);
		id.start_ticks = now.start_ticks;
	} while (now.state != 'Z');
	/* ThreadSanitizer has a thread of its own. */
	assert_true(now.threads >= 2);
	id.pid = pid;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_RUNNING);
	id.ino++;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
	id.ino--;
	end_child(pid);
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
	munmap(p, 4096);
}

static void a_child_is_seen_running_stopped_and_dead(void **state)
{
	struct cof_pidstat_id id;
	struct cof_pidstat s;
	void *p = map_file(&id);	/* the child inherits the mapping */
	pid_t pid = start_child();
	int status;

	(void)state;
	assert_int_equal(cof_pidstat_read(pid, &s), 0);
	id.pid = pid;
	id.start_ticks = s.start_ticks;
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_RUNNING);
	kill(pid, SIGSTOP);
	assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_STOPPED);
	kill(pid, SIGKILL);
	/* A zombie: still there, but dead. */
	assert_int_equal(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 },
				WEXITED | WNOWAIT), 0);
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
	end_child(pid);
	assert_int_equal(cof_pidstat_life(&id), COF_LIFE_DEAD);
	munmap(p, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_line_is_parsed),
		cmocka_unit_test(a_command_may_hold_spaces_and_parentheses),
		cmocka_unit_test(a_cut_or_foreign_text_is_refused),
		cmocka_unit_test(a_process_reads_its_own),
		cmocka_unit_test(a_process_that_is_gone_is_an_error),
		cmocka_unit_test(a_mapped_file_is_found_until_it_is_unmapped),
		cmocka_unit_test(a_file_is_found_behind_many_mappings),
		cmocka_unit_test(a_reused_pid_is_dead),
		cmocka_unit_test(a_pid_of_another_namespace_says_nothing),
		cmocka_unit_test(a_pid_that_cannot_be_is_dead),
		cmocka_unit_test(one_whose_first_thread_ended_lives_on),
		cmocka_unit_test(a_child_is_seen_running_stopped_and_dead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
