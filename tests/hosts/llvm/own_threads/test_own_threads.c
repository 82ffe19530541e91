/*
 * test_own_threads.c - a thread that libc does not know loads libraries, and
 * libc stays that of a process with one thread
 *
 * The looks at the program's thread are made here by hand.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "own_threads/bare_thread.h"
#include "own_threads/libc_locks.h"
#include "own_threads/linker_malloc.h"
#include "own_threads/own_threads.h"

static atomic_uint asked;	/* how often for a look */

static void look_soon(void)
{
	atomic_fetch_add(&asked, 1);
}

/* An address outside of libc and the dynamic linker. */
static uintptr_t here(void)
{
	return (uintptr_t)here;
}

static bool libc_takes_locks(void)
{
	return *(volatile char *)dlsym(RTLD_DEFAULT,
				       "__libc_single_threaded") == 0;
}

static struct bare_thread thread;

static void start(void (*run)(void), bool own_files)
{
	char why[200] = "";

	if (!bare_thread_start(&thread, run, own_files, why, sizeof(why)))
		fail_msg("%s", why);
}

static int setup(void **state)
{
	char why[200] = "";

	(void)state;
	if (!linker_malloc_begin(why, sizeof(why)))
		fail_msg("%s", why);
	assert_true(libc_locks_begin(look_soon));
	return 0;
}

/* -- Libraries ------------------------------------------------------------- */

static void *_Atomic loaded;

static void load(void)
{
	linker_malloc_depth++;
	loaded = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW | RTLD_LOCAL);
}

static void a_library_is_loaded_without_the_programs_heap(void **state)
{
	struct mallinfo2 before, after;

	(void)state;
	dlerror();
	libc_locks_share_here();
	linker_malloc_depth++;
	before = mallinfo2();
	start(load, true);
	bare_thread_join(&thread);
	after = mallinfo2();
	linker_malloc_depth--;
	libc_locks_unshare_here();
	assert_non_null(loaded);
	assert_int_equal(after.uordblks, before.uordblks);
	assert_false(libc_takes_locks());
	/* What one thread allocated another one frees. */
	assert_int_equal(dlclose(loaded), 0);
}

static void the_program_has_its_heap(void **state)
{
	struct mallinfo2 before = mallinfo2();
	void *handle = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);

	(void)state;
	assert_non_null(handle);
	assert_true(mallinfo2().uordblks > before.uordblks);
	dlclose(handle);
}

/* -- Descriptors ----------------------------------------------------------- */

static int fd[2];
static _Atomic int reads;

static void read_mine(void)
{
	char byte;

	reads = (int)read(fd[0], &byte, 1);
}

static void a_thread_has_its_own_descriptors(void **state)
{
	(void)state;
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(write(fd[1], "x", 1), 1);
	linker_malloc_depth++;
	start(read_mine, true);
	bare_thread_join(&thread);
	assert_int_equal(reads, -1);
	start(read_mine, false);
	bare_thread_join(&thread);
	linker_malloc_depth--;
	assert_int_equal(reads, 1);
	close(fd[0]);
	close(fd[1]);
}

/* -- Scheduling ------------------------------------------------------------ */

static void end_at_once(void)
{
}

/* Threads of the process before all others. */
static unsigned real_time_threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	struct dirent *e;
	unsigned n = 0;

	assert_non_null(tasks);
	while ((e = readdir(tasks)) != NULL)
		n += e->d_name[0] != '.' &&
		     sched_getscheduler(atoi(e->d_name)) == SCHED_RR;
	closedir(tasks);
	return n;
}

static void a_thread_that_has_begun_is_not_before_others(void **state)
{
	struct sched_param param = { .sched_priority = 1 };

	(void)state;
	if (sched_setscheduler(0, SCHED_RR, &param) != 0)
		skip();		/* not allowed */
	for (int i = 0; i < 100; i++) {
		linker_malloc_depth++;
		start(end_at_once, i % 2);
		linker_malloc_depth--;
		assert_int_equal(real_time_threads(), 1);
		bare_thread_join(&thread);
	}
	param.sched_priority = 0;
	assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &param), 0);
}

/* -- Locks ----------------------------------------------------------------- */

static _Atomic bool shares, may_end, ended;

static void share(void)
{
	own_threads_begins();
	libc_locks_share();
	shares = true;
	while (!may_end)
		usleep(100);
	libc_locks_unshare();
	ended = true;
	own_threads_ends();
}

static void libc_takes_its_locks_while_a_thread_shares(void **state)
{
	uintptr_t libc = (uintptr_t)dlsym(RTLD_DEFAULT, "abort");
	unsigned before = asked;

	(void)state;
	linker_malloc_depth++;
	start(share, false);
	linker_malloc_depth--;
	while (asked == before)
		usleep(100);
	/* Inside libc nothing is changed. */
	libc_locks_look(libc);
	assert_true(libc_locks_want_look());
	assert_false(libc_takes_locks());
	assert_false(shares);

	libc_locks_look(here());
	assert_true(libc_takes_locks());
	while (!shares)
		usleep(100);
	assert_false(libc_locks_want_look());
	libc_locks_look(here());
	assert_true(libc_takes_locks());

	before = asked;
	may_end = true;
	while (asked == before || !ended)
		usleep(100);
	assert_true(libc_takes_locks());
	libc_locks_look(libc);
	assert_true(libc_takes_locks());
	libc_locks_look(here());
	assert_false(libc_takes_locks());
	assert_false(libc_locks_want_look());
	bare_thread_join(&thread);
}

static void a_fork_does_without_locks(void **state)
{
	(void)state;
	libc_locks_share_here();
	assert_true(libc_takes_locks());
	libc_locks_fork();
	assert_false(libc_takes_locks());
	libc_locks_parent();
	assert_true(libc_takes_locks());
	/* As in a child: whoever shared is not there. */
	libc_locks_child();
	assert_false(libc_takes_locks());
}

static void a_program_with_threads_keeps_its_locks(void **state)
{
	(void)state;
	libc_locks_for_good();
	libc_locks_share_here();
	libc_locks_unshare_here();
	libc_locks_look(here());
	assert_true(libc_takes_locks());
	assert_false(libc_locks_want_look());
}

/* -- Calls on all threads -------------------------------------------------- */

/* Of the timers' slack, which is a thread's, and a new one's is its maker's. */
static _Atomic int want;
static atomic_bool is_stale, is_over;

static void *look_at_slack(void *unused)
{
	usleep(2000);	/* calls come meanwhile */
	own_threads_begins();
	own_threads_made();
	for (int i = 0; i < 20; i++) {
		int wanted = want;

		if (prctl(PR_GET_TIMERSLACK) < wanted)
			is_stale = true;
		usleep(200);
	}
	own_threads_ends();
	return unused;
}

static void *make_threads(void *unused)
{
	pthread_t made;

	own_threads_begins();
	own_threads_made();
	while (!is_over) {
		own_threads_making();
		if (pthread_create(&made, NULL, look_at_slack, NULL) != 0)
			own_threads_made();
		else
			pthread_join(made, NULL);
	}
	own_threads_ends();
	return unused;
}

static void a_call_is_made_on_threads_that_are_being_made(void **state)
{
	pthread_t maker;

	(void)state;
	own_threads_making();
	assert_int_equal(pthread_create(&maker, NULL, make_threads, NULL), 0);
	for (int slack = 100000; slack < 100200; slack++) {
		prctl(PR_SET_TIMERSLACK, slack);
		own_threads_call(SYS_prctl, PR_SET_TIMERSLACK, slack, 0);
		want = slack;
		usleep(500);
	}
	is_over = true;
	pthread_join(maker, NULL);
	assert_false(is_stale);
}

static atomic_int ending;

static void *end_slowly(void *unused)
{
	own_threads_begins();
	own_threads_ends();
	ending = (int)syscall(SYS_gettid);
	usleep(50000);
	return unused;
}

/* It does not hear the call, and would be there with its rights of before. */
static void a_call_waits_until_a_thread_that_ends_is_gone(void **state)
{
	pthread_t slow;

	(void)state;
	assert_int_equal(pthread_create(&slow, NULL, end_slowly, NULL), 0);
	while (!ending)
		usleep(100);
	own_threads_call(SYS_prctl, PR_SET_TIMERSLACK, 100200, 0);
	assert_int_equal(syscall(SYS_tgkill, getpid(), ending, 0), -1);
	assert_int_equal(errno, ESRCH);
	pthread_join(slow, NULL);
}

/* -- An end ---------------------------------------------------------------- */

static long address_pages(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	long pages = -1;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld", &pages), 1);
	fclose(f);
	return pages;
}

static void an_end_gives_addresses_back_that_are_not_in_use(void **state)
{
	void *library, *next;
	long before;

	(void)state;
	linker_malloc_depth++;
	library = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW | RTLD_LOCAL);
	linker_malloc_depth--;
	assert_non_null(library);
	before = address_pages();
	linker_malloc_depth++;
	linker_malloc_shrink();
	linker_malloc_depth--;
	assert_in_range(before - address_pages(), (60 << 20) / 4096,
			(64 << 20) / 4096);
	linker_malloc_depth++;
	linker_malloc_shrink();
	next = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW | RTLD_LOCAL);
	linker_malloc_depth--;
	assert_non_null(next);
	assert_int_equal(dlclose(next), 0);
	assert_int_equal(dlclose(library), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_library_is_loaded_without_the_programs_heap),
		cmocka_unit_test(the_program_has_its_heap),
		cmocka_unit_test(a_thread_has_its_own_descriptors),
		cmocka_unit_test(a_thread_that_has_begun_is_not_before_others),
		cmocka_unit_test(libc_takes_its_locks_while_a_thread_shares),
		cmocka_unit_test(a_fork_does_without_locks),
		cmocka_unit_test(a_program_with_threads_keeps_its_locks),
		cmocka_unit_test(a_call_is_made_on_threads_that_are_being_made),
		cmocka_unit_test(a_call_waits_until_a_thread_that_ends_is_gone),
		cmocka_unit_test(
			an_end_gives_addresses_back_that_are_not_in_use),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
