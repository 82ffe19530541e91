/*
 * test_copy_pool.c - builders of large bitcode take turns, others do not wait
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <llvm-c/BitWriter.h>

#include "cofl.h"
#include "ir/copy.h"
#include "module/copy_pool.h"
#include "process/proc_stat.h"
#include "support/tuning.h"
#include "../ir_text.h"

static struct cofl host;

/* Bitcode with a constant of so many bytes in it. */
static void open_host(size_t bytes)
{
	LLVMContextRef context;
	LLVMModuleRef module = ir_text(
		"target datalayout = \"e-m:e-i64:64\"\n"
		"define void @main() {\n  ret void\n}\n", &context);
	char *filler = calloc(bytes, 1);
	LLVMValueRef constant;
	char why[256] = "";

	assert_non_null(filler);
	/* All zeros would be one record. */
	for (size_t i = 0; i < bytes; i++)
		filler[i] = (char)(1 + i % 251);
	constant = LLVMConstStringInContext2(context, filler, bytes, 1);
	LLVMSetInitializer(LLVMAddGlobal(module, LLVMTypeOf(constant), "data"),
			   constant);
	free(filler);
	host.bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
	LLVMDisposeModule(module);
	LLVMContextDispose(context);
	assert_true(LLVMGetBufferSize(host.bitcode) >= bytes);
	pthread_mutex_init(&host.pool_lock, NULL);
	if (cofl_copy_pool_begin(&host, why, sizeof(why)) == NULL)
		fail_msg("%s", why);
}

static int close_host(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < host.n_pool; i++)
		cofl_copy_dispose(host.pool[i]);
	free(host.pool);
	LLVMDisposeMemoryBuffer(host.bitcode);
	host = (struct cofl){ .pool = NULL };
	return 0;
}

/* Of bitcode of this size, only one copy is built from at a time. */
static size_t large(void)
{
	return ((size_t)COFL_TUNE(copies_mb) << 20) / 2 + 1;
}

static struct {
	atomic_int        tid;
	atomic_bool       has_it;
	struct cofl_copy *copy;
} other;

static void *take(void *unused)
{
	(void)unused;
	other.tid = gettid();
	other.copy = cofl_copy_pool_take(&host);
	other.has_it = true;
	if (other.copy != NULL)
		pthread_mutex_unlock(&other.copy->lock);
	return NULL;
}

static bool sleeps(int tid)
{
	char path[64], text[512] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	if (fd >= 0)
		close(fd);
	return *cof_proc_stat_field(text, 3) == 'S';
}

static pthread_t start_other(void)
{
	pthread_t thread;

	other.tid = 0;
	other.has_it = false;
	assert_int_equal(pthread_create(&thread, NULL, take, NULL), 0);
	while (other.tid == 0)
		sched_yield();
	return thread;
}

/* One builder has *copy, and another one waits. */
static pthread_t wait_for_large(struct cofl_copy **copy)
{
	pthread_t thread;

	open_host(large());
	*copy = cofl_copy_pool_take(&host);
	assert_non_null(*copy);
	thread = start_other();
	while (!other.has_it && !sleeps(other.tid))
		sched_yield();
	return thread;
}

static void of_large_bitcode_the_second_builder_waits(void **state)
{
	struct cofl_copy *copy;
	pthread_t thread = wait_for_large(&copy);

	(void)state;
	pthread_mutex_unlock(&copy->lock);
	pthread_join(thread, NULL);
	assert_ptr_equal(other.copy, copy);
	assert_int_equal(host.n_pool, 1);
}

static void of_small_bitcode_it_has_a_copy_of_its_own(void **state)
{
	struct cofl_copy *copy;
	pthread_t thread;

	(void)state;
	open_host(1);
	copy = cofl_copy_pool_take(&host);
	assert_non_null(copy);
	thread = start_other();
	pthread_join(thread, NULL);
	pthread_mutex_unlock(&copy->lock);
	assert_non_null(other.copy);
	assert_ptr_not_equal(other.copy, copy);
	assert_int_equal(host.n_pool, 2);
}

static void a_spoilt_copy_is_replaced_however_large(void **state)
{
	struct cofl_copy *copy;
	pthread_t thread = wait_for_large(&copy);

	(void)state;
	copy->is_spoilt = true;
	pthread_mutex_unlock(&copy->lock);
	pthread_join(thread, NULL);
	assert_non_null(other.copy);
	assert_ptr_not_equal(other.copy, copy);
	assert_int_equal(host.n_pool, 2);
	copy->is_spoilt = false;	/* for close_host(): nothing of it is */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			of_large_bitcode_the_second_builder_waits, close_host),
		cmocka_unit_test_teardown(
			of_small_bitcode_it_has_a_copy_of_its_own, close_host),
		cmocka_unit_test_teardown(
			a_spoilt_copy_is_replaced_however_large, close_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
