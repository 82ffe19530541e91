/*
 * test_regions.c - unwind tables without memory, and across a fork
 *
 * libcof gets this file's allocator, which fails when told to, and this file's
 * dlopen(3), which waits when told to.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/fork_hooks.h"
#include "cof.h"
#include "threads/regions.h"
#include "threads/unwind.h"

/* -- An allocator that fails when told to (--wrap of ld(1)) ---------------- */

void *__real_cof_mem_alloc(size_t bytes);
void *__wrap_cof_mem_alloc(size_t bytes);
void  __real_cof_mem_free(void *p);
void  __wrap_cof_mem_free(void *p);

static bool no_memory;
static _Atomic long blocks;

void *__wrap_cof_mem_alloc(size_t bytes)
{
	void *p = no_memory ? NULL : __real_cof_mem_alloc(bytes);

	atomic_fetch_add(&blocks, p != NULL);
	return p;
}

void __wrap_cof_mem_free(void *p)
{
	atomic_fetch_sub(&blocks, p != NULL);
	__real_cof_mem_free(p);
}

/* -- A loader that waits --------------------------------------------------- */

static _Atomic bool loader_waits, loader_entered;

void *dlopen(const char *file, int mode)
{
	void *(*real)(const char *, int);

	*(void **)&real = dlsym(RTLD_NEXT, "dlopen");
	if (file && strstr(file, "unwind")) {
		atomic_store(&loader_entered, true);
		while (atomic_load(&loader_waits))
			sched_yield();
	}
	return real(file, mode);
}

/* -- Regions --------------------------------------------------------------- */

/* An .eh_frame with one function, and "code" within its reach. */
static struct {
	char    text[256];
	uint8_t frames[44];
} at __attribute__((aligned(64)));

static int add(int from, int to)
{
	static const uint8_t frames[44] = {
		20, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b,
		0x0c, 7, 8, 0x90, 1, 0, 0,
		12 + 4, 0, 0, 0, 28, 0, 0, 0,
	};
	int32_t start;
	uint32_t bytes = (uint32_t)(to - from);

	memcpy(at.frames, frames, sizeof(frames));
	start = (int32_t)(at.text + from - (char *)at.frames - 32);
	memcpy(at.frames + 32, &start, 4);
	memcpy(at.frames + 36, &bytes, 4);
	return cof_regions_add(at.text + from, at.text + to, at.frames,
			       sizeof(at.frames));
}

/* Is there a region at this offset? */
static bool there(int offset)
{
	bool found = cof_regions_enter((uintptr_t)at.text + (uintptr_t)offset)
		     != NULL;

	if (found)
		cof_regions_leave();
	return found;
}

static void without_memory_a_region_goes_all_the_same(void **state)
{
	long before = atomic_load(&blocks);

	(void)state;
	assert_int_equal(add(0, 64), 0);
	assert_int_equal(add(128, 192), 0);
	assert_int_equal(add(64, 128), 0);
	no_memory = true;
	assert_int_equal(add(192, 256), -COF_E_NOMEM);
	cof_regions_remove(at.text + 64);
	cof_regions_remove(at.text + 64);	/* there is none: nothing */
	no_memory = false;
	assert_true(there(0));
	assert_false(there(64));
	assert_true(there(128));

	/* The addresses are free, and the next table frees the region. */
	assert_int_equal(add(32, 96), -COF_E_INVAL);
	assert_int_equal(add(64, 96), 0);
	assert_true(there(64));
	assert_false(there(96));
	cof_regions_remove(at.text);
	cof_regions_remove(at.text + 64);
	cof_regions_remove(at.text + 128);
	assert_false(there(0));
	assert_int_equal(atomic_load(&blocks), before);
}

static void a_region_stays_while_it_is_walked(void **state)
{
	const struct cof_region *r;

	(void)state;
	assert_int_equal(add(0, 64), 0);
	r = cof_regions_enter((uintptr_t)at.text);
	assert_non_null(r);
	cof_regions_remove(at.text);
	assert_int_equal(r->start, (uintptr_t)at.text);
	assert_memory_equal(r->copy + (r->frames - cof_region_words(r)),
			    at.frames, sizeof(at.frames));
	cof_regions_leave();
}

/* -- Fork ------------------------------------------------------------------ */

/* What cof_unwind_open() returns in a child. */
static int opens_in_child(void)
{
	int status = -1;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(120);
		_exit(cof_unwind_open() ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void *open_unwind(void *arg)
{
	cof_unwind_open();
	return arg;
}

static void a_child_is_not_stuck_where_its_parent_was_loading(void **state)
{
	pthread_t thread;

	(void)state;
	assert_true(cof_fork_hooks_install());
	atomic_store(&loader_waits, true);
	assert_int_equal(pthread_create(&thread, NULL, open_unwind, NULL), 0);
	while (!atomic_load(&loader_entered))
		sched_yield();
	assert_int_equal(opens_in_child(), 0);
	atomic_store(&loader_waits, false);
	pthread_join(thread, NULL);
}

static void a_child_unwinds_unless_another_thread_was_walking(void **state)
{
	(void)state;
	if (!cof_unwind_open())
		skip();
	assert_int_equal(opens_in_child(), 1);
	assert_int_equal(add(0, 64), 0);
	assert_non_null(cof_regions_enter((uintptr_t)at.text));
	assert_int_equal(opens_in_child(), 0);
	cof_regions_leave();
	cof_regions_remove(at.text);
	assert_int_equal(opens_in_child(), 1);
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(without_memory_a_region_goes_all_the_same),
		T(a_region_stays_while_it_is_walked),
		T(a_child_is_not_stuck_where_its_parent_was_loading),
		T(a_child_unwinds_unless_another_thread_was_walking),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
