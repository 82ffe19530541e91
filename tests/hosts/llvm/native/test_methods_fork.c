/*
 * test_methods_fork.c - the program forks while a method is being redirected
 *
 *	worker   take_over(), and inside it, with both locks, mremap(2): waits
 *	main     fork(2); its hooks find a lock taken: the worker may go on
 *	child    redirects another method
 *
 * Nothing rests on time: mremap() and pthread_mutex_lock() here are the test's
 * own. Without the hooks nobody tells the worker to go on, so the child finds
 * the locks taken, and waits until its alarm.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "cof.h"
#include "cofl.h"
#include "native/methods.h"
#include "native/text_page.h"

#define PAGE    4096u
#define METHODS 4u
#define STEP    64u	/* from one function to the next */
#define CHILD_S 120

/* mov $N, %eax; ret */
static const unsigned char body[] = { 0xb8, 0, 0, 0, 0, 0xc3 };

static char                   *text;
static struct cofl_address     entry[METHODS];
static const char              names[] = "\0a\0b\0c\0d";
static struct cofl_addresses   head = { .n_functions = METHODS, .n = METHODS };
static struct cofl_executable  executable = {
	.head = &head, .entry = entry, .names = names,
};
static struct cofl host;

/* -- Steps ----------------------------------------------------------------- */

static sem_t is_inside, go_on;
static _Thread_local bool stops;	/* in mremap() */
static _Thread_local bool forks;	/* and may tell the worker */

void *mremap(void *old, size_t old_bytes, size_t bytes, int flags, ...)
{
	va_list more;
	void *to;

	va_start(more, flags);
	to = va_arg(more, void *);
	va_end(more);
	if (stops) {
		stops = false;
		sem_post(&is_inside);
		sem_wait(&go_on);
	}
	return (void *)syscall(SYS_mremap, old, old_bytes, bytes, flags, to);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*libcs)(pthread_mutex_t *);

	if (forks && pthread_mutex_trylock(mutex) == 0)
		return 0;
	if (libcs == NULL)
		libcs = (int (*)(pthread_mutex_t *))dlsym(
			RTLD_NEXT, "pthread_mutex_lock");
	if (forks)
		sem_post(&go_on);
	forks = false;
	return libcs(mutex);
}

/* -- The program ----------------------------------------------------------- */

static uintptr_t function(uint32_t i)
{
	return (uintptr_t)text + (i + 1) * STEP;
}

static int call(uint32_t i)
{
	return ((int (*)(void))function(i))();
}

static void make_program(void)
{
	text = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(text, MAP_FAILED);
	memset(text, 0xcc, PAGE);
	for (uint32_t i = 0; i < METHODS; i++) {
		memcpy((char *)function(i), body, sizeof(body));
		*(char *)(function(i) + 1) = (char)i;
		entry[i] = (struct cofl_address){
			.address = function(i), .bytes = sizeof(body),
			.name = 1 + 2 * i, .first_bytes = 5,
			.flags = COFL_ADDRESS_PATCHABLE |
				 COFL_ADDRESS_ABSOLUTE,
		};
	}
	assert_int_equal(mprotect(text, PAGE, PROT_READ | PROT_EXEC), 0);
}

static void start(void)
{
	struct cof_host of = { .size = sizeof(of), .name = "test",
			       .near = text };

	cofl_methods_init(&host, &executable);
	assert_int_equal(cofl_text_page_fork_hooks(), 0);
	assert_int_equal(cof_start(&of, "mode=co,source=none,stats=none,"
				   "history=none,code_mb=16", NULL, &host.cof),
			 0);
	assert_int_equal(cofl_methods_begin(), 0);
}

/* -- Tests ----------------------------------------------------------------- */

static void *redirect(void *method)
{
	stops = true;
	return cofl_methods_take_over(method) ? method : NULL;
}

/* The page is changed without the lock of methods, as for a point. */
static void *change_page(void *at)
{
	unsigned char same = *(unsigned char *)at;

	stops = true;
	return cofl_text_page_write((uintptr_t)at, &same, 1) ? at : NULL;
}

/* In the child: both locks can be had, and the code is whole. */
static int use_child(void)
{
	struct cofl_method *m = &host.method[2];

	alarm(CHILD_S);
	if (cofl_methods_add(m) == NULL || !cofl_methods_take_over(m))
		return 1;
	for (uint32_t i = 0; i < METHODS; i++)
		if (call(i) != (int)i)
			return 2;
	return 0;
}

static void fork_amid(void *(*work)(void *), void *arg)
{
	int status = -1;
	pthread_t worker;
	void *done;
	pid_t child;

	assert_int_equal(pthread_create(&worker, NULL, work, arg), 0);
	sem_wait(&is_inside);
	forks = true;
	child = fork();
	if (child == 0)
		_exit(use_child());
	assert_true(child > 0);
	/* Without hooks it is still to be told. */
	if (forks)
		sem_post(&go_on);
	forks = false;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	pthread_join(worker, &done);
	assert_ptr_equal(done, arg);
}

static void a_method_is_redirected(void **state)
{
	(void)state;
	assert_non_null(cofl_methods_add(&host.method[0]));
	fork_amid(redirect, &host.method[0]);
	assert_true(host.method[0].redirected);
	assert_int_equal(call(0), 0);
}

static void a_page_is_changed(void **state)
{
	(void)state;
	fork_amid(change_page, (void *)function(3));
	assert_int_equal(call(3), 3);
}

static void what_is_seen_first_is_added(void **state)
{
	const void *inside = (const void *)(function(1) + 2);

	(void)state;
	assert_null(host.method[1].method);
	assert_int_equal(cofl_methods_locate(&host, inside), 1);
	assert_non_null(host.method[1].method);
	assert_string_equal(cof_method_name(host.method[1].method), "b");
	assert_int_equal(cofl_methods_locate(&host, inside), 0);
	assert_int_equal(cofl_methods_locate(&host, text), 0);
	assert_ptr_equal(cofl_methods_add(&host.method[1]),
			 host.method[1].method);
	assert_null(host.method[3].method);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_seen_first_is_added),
		cmocka_unit_test(a_method_is_redirected),
		cmocka_unit_test(a_page_is_changed),
	};
	int failed;

	sem_init(&is_inside, 0, 0);
	sem_init(&go_on, 0, 0);
	make_program();
	start();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	cof_stop(host.cof);
	cof_free(host.cof);
	return failed;
}
