/*
 * test_memory_reserve.c - under a limit, what the program waits for has memory
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdbool.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "support/fatal.h"
#include "support/map.h"
#include "support/memory_reserve.h"
#include "support/recover.h"
#include "support/xcalloc.h"

#define MB ((size_t)1 << 20)

/* All addresses that the limit allows, but less than so many bytes. */
static void take_all(size_t least)
{
	for (size_t n = 1024 * MB; n >= least; n /= 2)
		while (mmap(NULL, n, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			    0) != MAP_FAILED)
			;
}

static void limit_data(void)
{
	struct rlimit most = { 2048 * MB, 2048 * MB };

	if (setrlimit(RLIMIT_DATA, &most) != 0)
		_exit(2);
}

/* In a child, so that the limit ends with it. */
static int in_child(void (*f)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		f();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void allocate_at_the_limit(void)
{
	char *p;

	limit_data();
	cofl_memory_reserve_begin();
	if (cofl_memory_reserve_is_short())
		_exit(3);
	take_all(MB);
	p = cofl_xcalloc(8 * MB, 1);
	if (p[8 * MB - 1] != 0 || !cofl_memory_reserve_is_short())
		_exit(4);
	p = cofl_xcalloc_grow(p, 9 * MB, 1);
	memset(p, 1, 9 * MB);
}

static void what_the_program_waits_for_has_the_reserve(void **state)
{
	(void)state;
	assert_int_equal(in_child(allocate_at_the_limit), 0);
}

static void release_twice(void)
{
	cofl_memory_reserve_begin();
	if (!cofl_memory_reserve_release() ||
	    cofl_memory_reserve_release())
		_exit(3);
}

static void it_is_given_back_once(void **state)
{
	(void)state;
	assert_int_equal(in_child(release_twice), 0);
}

static void use_all(void)
{
	cofl_fatal_init("test");
	limit_data();
	cofl_memory_reserve_begin();
	take_all(MB);
	for (;;)
		cofl_xcalloc(MB, 1);
}

/* With one line. */
static void where_no_program_runs_the_process_ends(void **state)
{
	(void)state;
	assert_int_equal(in_child(use_all), 1);
}

static void take_all_memory(void *arg)
{
	(void)arg;
	take_all(MB);
	for (;;)
		cofl_xcalloc(MB, 1);
}

static void use_all_in_a_build(void)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	char why[64] = "";

	cofl_fatal_init("test");
	limit_data();
	cofl_memory_reserve_begin();
	if (cofl_recover_locked(&lock, take_all_memory, NULL, why,
				sizeof(why)))
		_exit(3);
	if (strcmp(why, "out of memory") != 0 ||
	    pthread_mutex_trylock(&lock) != 0)
		_exit(4);
}

static void a_build_ends_and_leaves_its_lock(void **state)
{
	(void)state;
	assert_int_equal(in_child(use_all_in_a_build), 0);
}

/* A map of this many grows at the next one, to two arrays of 2 MB each. */
#define MANY ((uintptr_t)1 << 16)

static struct cofl_map map;

static void put_one_more(void *arg)
{
	(void)arg;
	cofl_map_put(&map, (void *)(MANY + 1), &map);
}

/* There is memory for one of the arrays. */
static void fill_a_map(void)
{
	char why[64];
	void *room;

	for (uintptr_t i = 1; i <= MANY; i++)
		cofl_map_put(&map, (void *)i, (void *)(2 * i));
	limit_data();
	room = mmap(NULL, 3 * MB, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	take_all(4096);
	munmap(room, 3 * MB);
	if (cofl_recover(put_one_more, NULL, why, sizeof(why)))
		_exit(3);
	for (uintptr_t i = 1; i <= MANY; i++)
		if (cofl_map_get(&map, (void *)i) != (void *)(2 * i))
			_exit(4);
	if (cofl_map_get(&map, (void *)(MANY + 1)) != NULL)
		_exit(5);
}

static void a_map_that_cannot_grow_is_as_it_was(void **state)
{
	(void)state;
	assert_int_equal(in_child(fill_a_map), 0);
}

static void *use_all_on_a_thread(void *arg)
{
	take_all_memory(arg);
	return NULL;
}

/* Its line is the last that is heard of it. */
static void use_all_beside_a_program(void)
{
	char line[200] = "";
	pthread_t thread;
	int fd[2];

	cofl_fatal_init("test");
	cofl_fatal_beside_program();
	limit_data();
	if (pipe(fd) != 0 || dup2(fd[1], STDERR_FILENO) < 0 ||
	    pthread_create(&thread, NULL, use_all_on_a_thread, NULL) != 0)
		_exit(3);
	if (read(fd[0], line, sizeof(line) - 1) <= 0 ||
	    strcmp(line, "runtime: test: out of memory\n") != 0)
		_exit(4);
	/* It neither returns nor ends what runs here. */
	if (pthread_tryjoin_np(thread, NULL) != EBUSY)
		_exit(5);
}

static void beside_a_program_only_the_thread_ends(void **state)
{
	(void)state;
	assert_int_equal(in_child(use_all_beside_a_program), 0);
}

static void copies(void **state)
{
	char *s = cofl_xcalloc_printf("%s-%d", "a", 12);

	(void)state;
	assert_string_equal(s, "a-12");
	free(s);
	s = cofl_xcalloc_ndup("abc", 2);
	assert_string_equal(s, "ab");
	free(s);
	s = cofl_xcalloc_ndup("abc", 5);
	assert_string_equal(s, "abc");
	free(s);
	s = cofl_xcalloc_dup("");
	assert_string_equal(s, "");
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_program_waits_for_has_the_reserve),
		cmocka_unit_test(it_is_given_back_once),
		cmocka_unit_test(where_no_program_runs_the_process_ends),
		cmocka_unit_test(a_build_ends_and_leaves_its_lock),
		cmocka_unit_test(a_map_that_cannot_grow_is_as_it_was),
		cmocka_unit_test(beside_a_program_only_the_thread_ends),
		cmocka_unit_test(copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
