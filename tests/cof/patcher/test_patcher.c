/*
 * test_patcher.c - versions are checked, made current, superseded, refused
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "codemem/codemem.h"
#include "patched.h"

static int setup_dry(void **state)
{
	(void)state;
	return start("mode=off,stats=none,code_mb=16,dry_run");
}

static void a_method_knows_its_name_data_and_stub(void **state)
{
	struct cof_method *other;

	(void)state;
	assert_string_equal(cof_method_name(method), "m");
	assert_ptr_equal(cof_method_data(method), &method);
	assert_int_equal((uintptr_t)cof_method_stub(method) % 16, 0);
	assert_int_equal(cof_method_add(cof, NULL, NULL, &other), -COF_E_INVAL);
	assert_int_equal(cof_method_add(NULL, "x", NULL, &other), -COF_E_INVAL);
	assert_int_equal(cof_method_add(cof, "x", NULL, NULL), -COF_E_INVAL);
	assert_int_equal(count(&cof->flow->memory.methods), 1);
}

static void versions_are_numbered_and_found_by_address(void **state)
{
	struct cof_method *m = NULL;
	unsigned number = 9;
	char *at[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		piece_add_return(cof, method, i);
		at[i] = cof_method_entry(method);
	}
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(cof_version_find(cof, at[i] + 5, &m, &number),
				 1);
		assert_ptr_equal(m, method);
		assert_int_equal(number, i);
	}
	assert_int_equal(cof_version_find(cof, at[0] + 6, &m, &number), 0);
	assert_int_equal(cof_version_find(cof, cof, &m, &number), 0);
	assert_int_equal(count(&cof->flow->memory.versions), 3);
}

static void an_entry_may_lie_behind_the_start(void **state)
{
	struct piece p = { .n = 0 };
	struct cof_version_desc d;

	(void)state;
	piece_pad(&p, 32);
	piece_return(&p, 8);
	d = piece_place(cof, &p, NULL);
	memset(d.block.write, 0xcc, 32);
	d.entry = (const char *)d.start + 32;
	assert_int_equal(cof_version_add(method, &d), 0);
	assert_ptr_equal(cof_method_entry(method), d.entry);
	assert_int_equal(piece_run(cof_method_stub(method)), 8);
}

/* One field is wrong at a time. */
static void what_is_out_of_bounds_is_refused_and_changes_nothing(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "other" };
	struct cof_version_desc good, d;
	struct cof_call_site site;
	struct cof_method *foreign;
	struct cof *other;
	char *exec;
	int n = 0;

	(void)state;
	piece_add_return(cof, method, 7);
	good = a_desc(1);	/* no code lies behind it */
	exec = good.block.exec;
	site = (struct cof_call_site){ exec + 1, method };
	assert_int_equal(cof_start(&host, "mode=off,stats=none,code_mb=16",
				   NULL, &other), 0);
	foreign = piece_method(other, NULL);
#define REFUSED(change)							\
	do {								\
		d = good;						\
		change;							\
		assert_int_equal(cof_version_add(method, &d),		\
				 -COF_E_INVAL);				\
		n++;							\
	} while (0)
	REFUSED(d.size = 0);
	REFUSED(d.start = NULL);
	REFUSED(d.size_bytes = 0);
	REFUSED(d.size_bytes = SIZE_MAX);
	REFUSED(d.entry = exec - 1);
	REFUSED(d.entry = exec + d.size_bytes);
	REFUSED(d.plan = COF_PLAN_COUNT);
	REFUSED(d.start = exec + d.block.size_bytes);
	REFUSED(d.size_bytes = d.block.size_bytes + 1);
	REFUSED(d.block.exec = exec + 64);
	REFUSED(d.block.write = exec);
	REFUSED(d.block.size_bytes = 0);
	REFUSED(d.n_calls = 1);
	REFUSED((d.n_calls = 1, d.calls = &site, site.rel32 = exec - 1));
	REFUSED((d.n_calls = 1, d.calls = &site, site.rel32 = exec + 3));
	REFUSED((d.n_calls = 1, d.calls = &site, site.callee = NULL,
		 site.rel32 = exec + 1));
	REFUSED((d.n_calls = 1, d.calls = &site, site.callee = foreign));
	REFUSED((d.start = &n, d.size_bytes = 4, d.block.exec = NULL,
		 d.n_calls = 1, d.calls = &site, site.callee = method,
		 site.rel32 = &n));
	REFUSED((d.start = cof_method_entry(method), d.block.exec = NULL));
	assert_int_equal(cof_version_add(method, NULL), -COF_E_INVAL);
	assert_int_equal(cof_version_add(NULL, &good), -COF_E_INVAL);
	n++;
	assert_int_equal(count(&cof->flow->patcher.drop_REFUSED), n);
	assert_int_equal(piece_run(cof_method_stub(method)), 7);
	/* The block is still ours. */
	assert_int_equal(piece_run(exec), 1);
	assert_int_equal(cof_version_add(method, &good), 0);
	assert_int_equal(method->current->number, 1);
	cof_free(other);
}

static void an_older_callers_desc_is_read_as_far_as_it_goes(void **state)
{
	struct cof_version_desc d = a_desc(4);

	(void)state;
	d.size = offsetof(struct cof_version_desc, block);
	d.n_calls = 1;	/* beyond d.size, so it is not read */
	assert_int_equal(cof_version_add(method, &d), 0);
	assert_null(method->current->code.block.exec);
	assert_int_equal(piece_run(cof_method_stub(method)), 4);
}

static void the_former_version_is_dead_and_retired(void **state)
{
	struct cof_version *first;

	(void)state;
	piece_add_return(cof, method, 1);
	first = method->current;
	assert_int_equal(first->state, COF_VERSION_CURRENT);
	piece_add_return(cof, method, 2);
	assert_int_equal(first->state, COF_VERSION_RETIRED);
	assert_true(cof_word_read(&first->word).flags & COF_WORD_DEAD);
	assert_int_equal(count(&cof->flow->reclaim.waiting), 1);
	assert_int_equal(count(&cof->flow->patcher.code_retired), 64);
	assert_int_equal(piece_run(cof_method_stub(method)), 2);
}

static void a_hosts_version_takes_over_the_weight_but_no_flag(void **state)
{
	struct cof_word w = { .weight = 77, .calls = 5, .generation = 9,
			      .flags = COF_WORD_HIT | COF_WORD_SETTLED };

	(void)state;
	piece_add_return(cof, method, 1);
	method->current->word = cof_word_pack(w);
	piece_add_return(cof, method, 2);
	w = cof_word_read(&method->current->word);
	assert_int_equal(w.weight, 77);
	assert_int_equal(w.calls, 0);
	assert_int_equal(w.generation, 9);
	assert_int_equal(w.flags, 0);
}

static void what_replaces_a_version_keeps_the_word_it_was_given(void **state)
{
	const struct cof_word w = { .weight = 3, .generation = 4 };
	struct cof_version *v;

	(void)state;
	piece_add_return(cof, method, 1);
	v = prepare(2);
	v->word = cof_word_pack(w);
	assert_true(cof_patcher_install(v, method->current, true));
	assert_ptr_equal(method->current, v);
	assert_int_equal(cof_word_read(&v->word).weight, 3);
}

static void a_version_over_another_than_the_current_is_superseded(void **state)
{
	struct cof_version *first, *v;

	(void)state;
	piece_add_return(cof, method, 1);
	first = method->current;
	v = prepare(2);
	piece_add_return(cof, method, 3);
	assert_false(cof_patcher_install(v, first, true));
	assert_int_equal(piece_run(cof_method_stub(method)), 3);
	assert_int_equal(v->state, COF_VERSION_RETIRED);
	assert_true(cof_word_read(&v->word).flags & COF_WORD_DEAD);
	assert_int_equal(count(&cof->flow->patcher.drop_SUPERSEDED), 1);
	assert_int_equal(count(&cof->flow->reclaim.waiting), 2);
}

static void a_superseded_versions_sites_are_never_bound(void **state)
{
	static struct cof_call_site calls[1];
	struct piece p = { .n = 0 };
	struct cof_version_desc d;
	struct cof_version *v;
	int err;

	(void)state;
	piece_call(&p, method);
	piece_add_return(cof, method, 1);
	d = piece_place(cof, &p, calls);
	v = cof_patcher_prepare(method, &d, &err);
	assert_false(cof_patcher_install(v, v, true));
	assert_null(method->code.sites);
	assert_int_equal(count(&cof->flow->patcher.sites), 0);
}

static void a_dry_run_patches_nothing_but_lets_programs_start(void **state)
{
	struct cof_version *v;

	(void)state;
	piece_add_return(cof, method, 1);
	assert_int_equal(piece_run(cof_method_stub(method)), 1);
	v = prepare(2);
	assert_false(cof_patcher_install(v, method->current, true));
	assert_int_equal(piece_run(cof_method_stub(method)), 1);
	assert_int_equal(v->state, COF_VERSION_RETIRED);
	assert_int_equal(count(&cof->flow->patcher.drop_DRY_RUN), 1);
}

static void code_memory_in_use_is_counted(void **state)
{
	struct cof_flow_patcher *flow = &cof->flow->patcher;
	struct cof_code c;

	(void)state;
	assert_int_equal(cof_code_alloc(cof, 100, COF_CODE_HOT, &c), 0);
	assert_int_equal(count(&flow->code_hot), 128);
	assert_int_equal(count(&flow->code_reserved),
			 cof_codemem_range(cof->codemem)->bytes);
	cof_code_free(cof, &c);
	assert_int_equal(count(&flow->code_hot), 0);
	assert_non_null(cof_data_alloc(cof, 10, 8));
	assert_int_equal(count(&flow->data_bytes), 10);
	assert_int_equal(cof_code_alloc(cof, 100, (enum cof_code_area)2, &c),
			 -COF_E_INVAL);
}

static void the_end_discards_every_version_and_drops_every_ir(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		piece_add_return(cof, method, i);
	piece_add_return(cof, piece_method(cof, NULL), 4);
	method->build.ir = &dropped;
	cof_free(cof);
	assert_int_equal(discarded, 4);
	assert_int_equal(dropped, 1);
	start("mode=off,stats=none,code_mb=16");
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define DRY(name) cmocka_unit_test_setup_teardown(name, setup_dry, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_method_knows_its_name_data_and_stub),
		T(versions_are_numbered_and_found_by_address),
		T(an_entry_may_lie_behind_the_start),
		T(what_is_out_of_bounds_is_refused_and_changes_nothing),
		T(an_older_callers_desc_is_read_as_far_as_it_goes),
		T(the_former_version_is_dead_and_retired),
		T(a_hosts_version_takes_over_the_weight_but_no_flag),
		T(what_replaces_a_version_keeps_the_word_it_was_given),
		T(a_version_over_another_than_the_current_is_superseded),
		T(a_superseded_versions_sites_are_never_bound),
		T(code_memory_in_use_is_counted),
		T(the_end_discards_every_version_and_drops_every_ir),
		DRY(a_dry_run_patches_nothing_but_lets_programs_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
