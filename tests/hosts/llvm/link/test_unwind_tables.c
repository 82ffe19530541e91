/*
 * test_unwind_tables.c - what unwinders find, while versions come and go
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <cmocka.h>

#include "cofl.h"
#include "link/loader.h"
#include "link/unwind_tables.h"

#define BASE  UINT64_C(0x100000000)
#define BLOCK 64u
#define MANY  1000u	/* more than a chunk has */

static char table[MANY];	/* whose addresses stand for sections */

static const void *block(uint32_t i)
{
	return (const void *)(uintptr_t)(BASE + 2 * BLOCK * (uint64_t)i);
}

static const char *in(const void *at, size_t offset)
{
	return (const char *)at + offset;
}

static void add(uint32_t i)
{
	cofl_unwind_tables_add(&table[i], block(i), BLOCK);
}

/* Which table the header leads to; NULL: none was found. */
static void *found(const void *pc)
{
	struct dl_find_object object;
	const unsigned char *header;
	void *at;

	if (!cofl_unwind_tables_find(pc, &object))
		return NULL;
	header = object.dlfo_eh_frame;
	/* Version 1; an absolute pointer; no count and no search table. */
	if (memcmp(header, "\1\0\xff\xff", 4) != 0 ||
	    pc < object.dlfo_map_start || pc >= object.dlfo_map_end)
		return NULL;
	memcpy(&at, header + 4, sizeof(at));
	return at;
}

/* 7 and 1000 have no common divisor, so this is each once. */
static uint32_t shuffled(uint32_t i)
{
	return (i * 7 + 3) % MANY;
}

static void each_address_has_the_table_of_its_block(void **state)
{
	(void)state;
	assert_null(found(block(0)));
	for (uint32_t i = 0; i < MANY; i++)
		add(shuffled(i));
	for (uint32_t i = 0; i < MANY; i++) {
		assert_ptr_equal(found(block(i)), &table[i]);
		assert_ptr_equal(found(in(block(i), BLOCK - 1)), &table[i]);
		assert_null(found(in(block(i), BLOCK)));
	}
	assert_null(found((const void *)(uintptr_t)(BASE - 1)));
	for (uint32_t i = 0; i < MANY; i += 2)
		cofl_unwind_tables_remove(&table[shuffled(i)]);
	for (uint32_t i = 0; i < MANY; i++)
		assert_ptr_equal(found(block(shuffled(i))),
				 i % 2 ? &table[shuffled(i)] : NULL);
	for (uint32_t i = 1; i < MANY; i += 2)
		cofl_unwind_tables_remove(&table[shuffled(i)]);
	assert_null(found(block(5)));
}

/* How many there are from `from` on, if they come in order and no later one is
 * left out. */
static uint32_t listed(const void *from, uint32_t *changes)
{
	struct dl_find_object object = { .dlfo_map_end = (void *)from };
	uint32_t all = 0;

	while (cofl_unwind_tables_next(object.dlfo_map_end, &object, changes)) {
		assert_true(object.dlfo_map_start >= from);
		assert_true(found(object.dlfo_map_start) != NULL);
		from = object.dlfo_map_end;
		all++;
	}
	return all;
}

static void each_is_listed_once(void **state)
{
	uint32_t before, after;

	(void)state;
	assert_int_equal(listed(NULL, &before), 0);
	for (uint32_t i = 0; i < MANY; i++)
		add(shuffled(i));
	assert_int_equal(listed(NULL, &after), MANY);
	assert_int_not_equal(before, after);
	assert_int_equal(listed(block(10), &after), MANY - 10);
	assert_int_equal(listed(in(block(10), 1), &before), MANY - 11);
	assert_int_equal(before, after);
	for (uint32_t i = 0; i < MANY; i++)
		cofl_unwind_tables_remove(&table[i]);
	assert_int_equal(listed(NULL, &after), 0);
	assert_int_not_equal(before, after);
}

/* Where one ends the next may begin. */
static void neighbours_are_listed(void **state)
{
	uint32_t changes;

	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		cofl_unwind_tables_add(&table[i], in(block(0), i * BLOCK),
				       BLOCK);
	assert_int_equal(listed(NULL, &changes), 3);
	for (uint32_t i = 0; i < 3; i++)
		cofl_unwind_tables_remove(&table[i]);
}

/* -- While others look ----------------------------------------------------- */

static _Atomic bool over;
static _Atomic uint64_t wrong, looks;

/* Block 500 is always there, its neighbours are not: so nothing may be read of
 * their headers. */
static void *look(void *unused)
{
	while (!over) {
		struct dl_find_object beside;

		if (found(in(block(500), 10)) != &table[500] ||
		    (cofl_unwind_tables_find(block(499), &beside) &&
		     beside.dlfo_map_start != block(499)))
			wrong++;
		looks++;
	}
	return unused;
}

static void readers_see_a_table_or_none(void **state)
{
	pthread_t reader[2];

	(void)state;
	add(500);
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&reader[i], NULL, look, NULL),
				 0);
	for (uint32_t turn = 0; turn < 300; turn++) {
		uint64_t then = looks;

		for (uint32_t i = 300; i < 500; i++)
			add(i);
		for (uint32_t i = 300; i < 500; i++)
			cofl_unwind_tables_remove(&table[i]);
		while (looks < then + 2)
			sched_yield();
	}
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(reader[i], NULL);
	assert_int_equal(wrong, 0);
	cofl_unwind_tables_remove(&table[500]);
}

/* -- A version that goes --------------------------------------------------- */

/* Others change the table too, and forks wait for that (--wrap of ld(1)). */
int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);

static struct cofl host = { .loader_lock = PTHREAD_MUTEX_INITIALIZER };
static bool there_when_locked, there_when_unlocked;

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (mutex == &host.loader_lock)
		there_when_locked = found(block(7)) == &table[7];
	return __real_pthread_mutex_lock(mutex);
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (mutex == &host.loader_lock)
		there_when_unlocked = found(block(7)) != NULL;
	return __real_pthread_mutex_unlock(mutex);
}

static void a_version_goes_under_the_loaders_lock(void **state)
{
	struct cofl_version *v = calloc(1, sizeof(*v));

	(void)state;
	add(7);
	assert_non_null(v);
	v->eh_frame = &table[7];
	there_when_unlocked = true;
	cofl_loader_unload(&host, v);
	assert_true(there_when_locked);
	assert_false(there_when_unlocked);
	assert_null(found(block(7)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_address_has_the_table_of_its_block),
		cmocka_unit_test(each_is_listed_once),
		cmocka_unit_test(neighbours_are_listed),
		cmocka_unit_test(readers_see_a_table_or_none),
		cmocka_unit_test(a_version_goes_under_the_loaders_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
