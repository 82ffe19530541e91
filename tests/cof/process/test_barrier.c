/*
 * test_barrier.c - one barrier for a batch, and what works without a barrier
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/role.h"
#include "process/barrier.h"
#include "reclaim/reclaim.h"
#include "stats/stats_file.h"
#include "tests/cof/patcher/patched.h"

static void a_batch_has_one_barrier(void **state)
{
	uint64_t before;

	(void)state;
	piece_add_return(cof, method, 0);
	assert_true(cof_patcher_install(prepare(1), NULL, true));
	before = count(&cof->flow->patcher.barriers);
	for (int i = 0; i < 4; i++)
		assert_true(cof_patcher_install(prepare(i), NULL, false));
	cof_barrier(cof);
	assert_int_equal(count(&cof->flow->patcher.barriers), before + 1);
}

/* From now on the kernel refuses membarrier(2) to this thread. */
static int forbid_membarrier(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog);
}

static bool forbidden;

static void *end_a_batch_without(void *arg)
{
	(void)arg;
	forbidden = forbid_membarrier() == 0;
	return forbidden && !cof_barrier(cof) ? NULL : &forbidden;
}

static void without_a_barrier_only_first_versions_go_in(void **state)
{
	struct cof_method *added = piece_method(cof, NULL);
	struct cof_version *old;
	struct cof_code block;
	pthread_t thread;
	uint64_t used;
	void *wrong;

	(void)state;
	piece_add_return(cof, method, 1);
	piece_add_return(cof, method, 2);
	old = method->current;
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &block), 0);
	assert_int_equal(pthread_create(&thread, NULL, end_a_batch_without,
					NULL), 0);
	pthread_join(thread, &wrong);
	if (!forbidden)
		skip();		/* no seccomp here */
	assert_null(wrong);
	cof_role = COF_ROLE_PICKER;	/* the test takes P/O's part */
	assert_true(cof_reclaim_has_work(cof));
	cof_reclaim_round(cof, 0);
	assert_false(cof_reclaim_has_work(cof));
	cof_role = COF_ROLE_APP;
	assert_int_equal(count(&cof->flow->reclaim.disabled), 1);
	assert_non_null(
		strstr(cof->stats_file->header->reclaim_off, "membarrier"));

	/* For good, although the kernel would allow it to this thread. */
	piece_add_return(cof, method, 3);
	assert_ptr_equal(method->current, old);
	assert_int_equal(piece_run(cof_method_stub(method)), 2);
	assert_int_equal(count(&cof->flow->patcher.drop_REFUSED), 1);
	piece_add_return(cof, added, 4);
	assert_int_equal(piece_run(cof_method_stub(added)), 4);
	used = count(&cof->flow->patcher.code_first);
	cof_code_free(cof, &block);
	assert_int_equal(count(&cof->flow->patcher.code_first), used - 64);
}

static void *free_without(void *block)
{
	forbidden = forbid_membarrier() == 0;
	cof_code_free(cof, block);
	return NULL;
}

static void without_a_barrier_addresses_are_not_used_again(void **state)
{
	struct cof_code block, next;
	pthread_t thread;

	(void)state;
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &block), 0);
	assert_int_equal(pthread_create(&thread, NULL, free_without, &block),
			 0);
	pthread_join(thread, NULL);
	if (!forbidden)
		skip();
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &next), 0);
	assert_ptr_not_equal(block.exec, next.exec);
	cof_code_free(cof, &next);
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &block), 0);
	assert_ptr_equal(block.exec, next.exec);
}

static void a_first_version_needs_no_barrier(void **state)
{
	uint64_t before = count(&cof->flow->patcher.barriers);

	(void)state;
	piece_add_return(cof, method, 0);
	assert_int_equal(count(&cof->flow->patcher.barriers), before);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_batch_has_one_barrier),
		T(a_first_version_needs_no_barrier),
		T(without_a_barrier_only_first_versions_go_in),
		T(without_a_barrier_addresses_are_not_used_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
