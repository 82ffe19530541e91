/*
 * test_version_copy.c - the copy of a first version whose address callers keep
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codemem/code_range.h"
#include "codemem/codemem.h"
#include "copied.h"

static void assert_number_is_0(const struct cof_version_desc *d)
{
	struct cof_method *in = NULL;
	unsigned number = 99;

	assert_int_equal(cof_version_find(cof, (const char *)d->start +
					  d->size_bytes - 1, &in, &number), 1);
	assert_ptr_equal(in, method);
	assert_int_equal(number, 0);
}

static void the_bare_entry_leads_to_the_copy(void **state)
{
	void *slot = NULL;

	(void)state;
	assert_int_equal(cof_slot_add(method, &slot), 0);
	assert_int_equal(by_stub(), FIRST);
	assert_int_equal(cof_version_copy(method, &copy), 0);
	assert_int_equal(by_stub(), COPY);
	assert_int_equal(by_bare_entry(), FIRST);
	assert_int_equal(piece_run(slot), COPY);
	assert_ptr_equal(cof_method_entry(method), copy.start);
	assert_true(own_redirect(first.start, cof_method_stub(method)));
	assert_int_equal(by_bare_entry(), COPY);
	assert_ptr_equal(method->current, version0);
	assert_number_is_0(&first);
	assert_number_is_0(&copy);
	cof_slot_remove(method, &slot);
}

static void a_trial_is_between_the_copy_and_the_new_version(void **state)
{
	struct cof_version *b;

	(void)state;
	copy_and_redirect();
	b = build_over();
	assert_int_equal(version0->state, COF_VERSION_PARKED);
	for (int i = 0; i < 6; i++) {
		if (i == 2 || i == 4)
			assert_true(cof_patcher_thunk(method, i == 2 ?
						    COF_THUNKED_ALL :
						    COF_THUNKED_NO));
		assert_true(cof_patcher_switch(i % 2 ? b : version0,
					       i % 2 ? version0 : b));
		assert_int_equal(by_bare_entry(), i % 2 ? NEW : COPY);
		assert_int_equal(by_stub(), i % 2 ? NEW : COPY);
	}
	/* Roll back. */
	assert_true(cof_patcher_switch(version0, b));
	cof_patcher_retire(b);
	until_free();
	assert_int_equal(by_bare_entry(), COPY);
	assert_int_equal(count(&reclaimed->freed), 1);
}

static void neither_is_ever_freed(void **state)
{
	struct piece p = { .n = 0 };

	(void)state;
	copy_and_redirect();
	piece_return(&p, NEW);
	piece_add(cof, method, &p, NULL);	/* the host's own */
	assert_int_equal(by_bare_entry(), NEW);
	assert_int_equal(version0->state, COF_VERSION_RETIRED);
	for (int i = 0; i < 5; i++)
		assert_int_equal(round_of(), 0);
	assert_int_equal(version0->state, COF_VERSION_RETIRED);
	assert_int_equal(count(&reclaimed->retired), 0);
	assert_int_equal(count(&reclaimed->waiting), 0);
	assert_false(cof_reclaim_has_work(cof));
	assert_int_equal(discarded, 0);
	assert_number_is_0(&first);
	assert_number_is_0(&copy);
	assert_int_equal(count(&cof->flow->memory.versions), 3);
}

static void retired_and_no_round_since_it_is_discarded_once(void **state)
{
	(void)state;
	copy_and_redirect();
	piece_add_return(cof, method, NEW);
	assert_int_equal(version0->state, COF_VERSION_RETIRED);
}

static void samples_in_either_are_one_versions(void **state)
{
	const struct cof_flow_sampler *flow = &cof->flow->sampler;
	uint64_t touched;

	(void)state;
	copy_and_redirect();
	sample_at(&copy);
	sample_at(&first);
	sample_at(&copy);
	assert_int_equal(version0->sampled.total, 3);
	assert_int_equal(cof_method_samples(method), 3);
	assert_int_equal(cof_word_read(&version0->word).calls, 3);
	assert_int_equal(method->code.copy->sampled.total, 0);
	assert_int_equal(cof_count_get(&flow->counted), 3);
	assert_true(cof_ring_pop(&cof->touched, &touched, 1));
	assert_int_equal(touched, (uintptr_t)version0);
	assert_false(cof_ring_pop(&cof->touched, &touched, 1));
	/* Another version is current: late samples, loops that do not end. */
	piece_add_return(cof, method, NEW);
	sample_at(&copy);
	sample_at(&first);
	assert_int_equal(version0->sampled.dead, 2);
	assert_int_equal(cof_count_get(&flow->drop_DEAD), 2);
}

static int copy_of(struct cof_version_desc d)
{
	return cof_version_copy(method, &d);
}

static void what_cannot_be_a_copy_is_refused(void **state)
{
	struct cof_call_site call = { .rel32 = own_page, .callee = method };
	struct cof_version_desc d = copy;

	(void)state;
	assert_int_equal(cof_version_copy(NULL, &copy), -COF_E_INVAL);
	assert_int_equal(cof_version_copy(method, NULL), -COF_E_INVAL);
	assert_int_equal(copy_of(first), -COF_E_INVAL);	/* overlaps */
	d.size_bytes = 0;
	assert_int_equal(copy_of(d), -COF_E_INVAL);
	d = copy;
	d.entry = (const char *)d.start + d.size_bytes;
	assert_int_equal(copy_of(d), -COF_E_INVAL);
	d = copy;
	d.calls = &call;
	d.n_calls = 1;
	assert_int_equal(copy_of(d), -COF_E_INVAL);
	assert_int_equal(cof_code_alloc(cof, 64, COF_CODE_FIRST, &d.block), 0);
	d.n_calls = 0;
	d.start = d.block.exec;
	assert_int_equal(copy_of(d), -COF_E_INVAL);
	cof_code_free(cof, &d.block);
	assert_int_equal(by_stub(), FIRST);
	assert_int_equal(count(&cof->flow->memory.versions), 1);
	/* A host that was compiled with an older cof.h. */
	d = copy;
	d.size = offsetof(struct cof_version_desc, calls);
	assert_int_equal(copy_of(d), 0);
	assert_int_equal(copy_of(own_return(COPY)), -COF_E_STATE);
	assert_int_equal(count(&cof->flow->memory.versions), 2);
}

static void a_copy_too_late_or_too_early_is_refused(void **state)
{
	struct cof_method *m = piece_method(cof, NULL);

	(void)state;
	assert_int_equal(cof_version_copy(m, &copy), -COF_E_STATE);
	piece_add_return(cof, m, FIRST);	/* in a block: not bare */
	assert_int_equal(cof_version_copy(m, &copy), -COF_E_STATE);
	build_over();
	assert_int_equal(copy_of(copy), -COF_E_STATE);
	assert_int_equal(by_stub(), NEW);
}

static void without_a_barrier_the_entry_must_stay(void **state)
{
	(void)state;
	atomic_store(&cof->can_sync, -1);
	assert_int_equal(copy_of(copy), -COF_E_PERM);
	assert_int_equal(by_stub(), FIRST);
	atomic_store(&cof->can_sync, 1);
	assert_int_equal(copy_of(copy), 0);
}

static void in_a_child_that_shares_code_memory_there_is_none(void **state)
{
	struct cof_code_range *range =
		(struct cof_code_range *)cof_codemem_range(cof->codemem);

	(void)state;
	range->closed = 1;
	assert_int_equal(copy_of(copy), -COF_E_STATE);
	range->closed = 0;
	assert_int_equal(by_stub(), FIRST);
}

static void a_child_goes_on_in_what_was_current(void **state)
{
	int status, go[2];
	char byte = 0;
	pid_t pid;

	(void)state;
	copy_and_redirect();
	assert_int_equal(pipe(go), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(120);
		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		_exit(by_bare_entry());
	}
	build_over();
	assert_int_equal(write(go[1], &byte, 1), 1);
	assert_int_equal(by_bare_entry(), NEW);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), COPY);
	close(go[0]), close(go[1]);
}

#define CALLERS  2
#define SWITCHES 300

static _Atomic bool     over;
static _Atomic unsigned wrong, came;

static void *call_bare_entry(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		int got = by_bare_entry();

		if (got != FIRST && got != COPY && got != NEW)
			atomic_fetch_add(&wrong, 1);
		atomic_fetch_add(&came, 1);
	}
	return NULL;
}

static void await_callers(void)
{
	unsigned n = atomic_load(&came);

	wait_until(atomic_load(&came) > n + CALLERS, cof->flow);
}

static void threads_come_in_meanwhile(void **state)
{
	pthread_t thread[CALLERS];
	struct cof_version *b;

	(void)state;
	atomic_store(&over, false);
	for (int i = 0; i < CALLERS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL,
						call_bare_entry, NULL), 0);
	await_callers();
	copy_and_redirect();
	await_callers();
	b = build_over();
	for (int i = 0; i < SWITCHES; i++) {
		assert_true(cof_patcher_switch(i % 2 ? b : version0,
					       i % 2 ? version0 : b));
		assert_true(cof_barrier(cof));
	}
	await_callers();
	atomic_store(&over, true);
	for (int i = 0; i < CALLERS; i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(wrong, 0);
	assert_int_equal(by_bare_entry(), NEW);
}

#define T(name) \
	cmocka_unit_test_setup_teardown(name, setup_copied, teardown_copied)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(the_bare_entry_leads_to_the_copy),
		T(a_trial_is_between_the_copy_and_the_new_version),
		T(neither_is_ever_freed),
		T(retired_and_no_round_since_it_is_discarded_once),
		T(samples_in_either_are_one_versions),
		T(what_cannot_be_a_copy_is_refused),
		T(a_copy_too_late_or_too_early_is_refused),
		T(without_a_barrier_the_entry_must_stay),
		T(in_a_child_that_shares_code_memory_there_is_none),
		T(a_child_goes_on_in_what_was_current),
		T(threads_come_in_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
