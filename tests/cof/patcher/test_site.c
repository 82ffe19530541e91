/*
 * test_site.c - call sites lead to the current version, or to the stub
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdbool.h>

#include "codemem/insn.h"
#include "instance.h"
#include "patcher/site.h"
#include "tests/support/piece.h"

static struct cof        *cof;
static struct cof_method *caller, *callee;

static void first_call(void *ctx, void *data)
{
	(void)ctx;
	(void)data;
	piece_add_return(cof, callee, 100);
}

static int setup(void **state)
{
	struct cof_host host = { .size = sizeof(host), .name = "test",
				 .first_call = first_call };

	(void)state;
	if (cof_start(&host, "mode=off,stats=none,code_mb=16", NULL, &cof) != 0)
		return -1;
	caller = piece_method(cof, NULL);
	callee = piece_method(cof, NULL);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cof_free(cof);
	return 0;
}

/* The caller calls the callee from an instruction at offset `at`. */
static struct cof_version_desc call_from(size_t at)
{
	static struct cof_call_site calls[1];
	struct piece p = { .n = 0 };
	struct cof_version_desc d;

	piece_enter(&p);
	piece_pad(&p, at);
	piece_call(&p, callee);
	piece_leave(&p);
	d = piece_place(cof, &p, calls);
	assert_int_equal(cof_version_add(caller, &d), 0);
	return d;
}

static uintptr_t leads_to(const void *rel32)
{
	int32_t d;

	memcpy(&d, rel32, sizeof(d));
	return (uintptr_t)rel32 + 4 + (uintptr_t)(intptr_t)d;
}

static uintptr_t entry(const struct cof_method *m)
{
	return (uintptr_t)cof_method_entry(m);
}

static int run(void)
{
	return piece_run(cof_method_stub(caller));
}

static void a_site_leads_to_the_stub_until_there_is_a_version(void **state)
{
	struct cof_version_desc d = call_from(10);

	(void)state;
	assert_int_equal(leads_to(d.calls[0].rel32),
			 (uintptr_t)cof_method_stub(callee));
	assert_int_equal(run(), 100);	/* the first call */
	assert_int_equal(leads_to(d.calls[0].rel32), entry(callee));
	assert_int_equal(run(), 100);
	assert_int_equal(cof_count_get(&cof->flow->patcher.first_calls), 1);
}

static void a_site_follows_every_new_version(void **state)
{
	struct cof_version_desc d;

	(void)state;
	piece_add_return(cof, callee, 1);
	d = call_from(10);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(leads_to(d.calls[0].rel32), entry(callee));
		piece_add_return(cof, callee, i);
		assert_int_equal(run(), i);
	}
	assert_int_equal(cof_count_get(&cof->flow->patcher.sites), 1);
	assert_int_equal(cof_count_get(&cof->flow->patcher.far_sites), 0);
	assert_int_equal(cof_count_get(&cof->flow->patcher.site_writes), 20);
}

/*
 * A displacement at offset 60 of a cache line ends with the line; those at 61
 * to 63 cross it.
 */
static void only_sites_across_two_lines_stay_on_the_stub(void **state)
{
	unsigned far = 0;

	(void)state;
	piece_add_return(cof, callee, 1);
	for (size_t at = 50; at < 75; at++) {
		struct cof_version_desc d = call_from(at);
		bool across = (at + 1) % 64 > 60;

		far += across;
		assert_int_equal(leads_to(d.calls[0].rel32), across ?
				 (uintptr_t)cof_method_stub(callee) :
				 entry(callee));
		piece_add_return(cof, callee, (int)at);
		assert_int_equal(leads_to(d.calls[0].rel32), across ?
				 (uintptr_t)cof_method_stub(callee) :
				 entry(callee));
		assert_int_equal(run(), at);
	}
	assert_int_equal(far, 3);
	assert_int_equal(cof_count_get(&cof->flow->patcher.far_sites), far);
}

/* A frame may still be in the former version. */
static void sites_of_a_retired_version_follow(void **state)
{
	struct cof_version_desc d = call_from(10);

	(void)state;
	call_from(10);
	piece_add_return(cof, callee, 7);
	assert_int_equal(leads_to(d.calls[0].rel32), entry(callee));
	assert_int_equal(piece_run(d.block.exec), 7);
}

static void a_method_that_calls_itself_calls_its_current_version(void **state)
{
	struct cof_version_desc d[2];

	(void)state;
	callee = caller;
	d[0] = call_from(10);
	assert_int_equal(leads_to(d[0].calls[0].rel32), entry(caller));
	d[1] = call_from(20);
	assert_int_equal(leads_to(d[1].calls[0].rel32), entry(caller));
	assert_int_equal(leads_to((char *)d[0].start + 11), entry(caller));
}

static int host_code(void)
{
	return 55;
}

/*
 * libcof's own text is more than 2 GiB away from where the kernel maps, as a
 * rule. If it is not, the site may lead there.
 */
static void an_entry_out_of_reach_is_called_through_the_stub(void **state)
{
	struct cof_version_desc far = { .size = sizeof(far) };
	struct cof_version_desc d = call_from(10);
	uintptr_t end = (uintptr_t)d.calls[0].rel32 + 4;

	(void)state;
	far.start = (const void *)(uintptr_t)host_code;
	far.size_bytes = 1;
	assert_int_equal(cof_version_add(callee, &far), 0);
	assert_int_equal(leads_to(d.calls[0].rel32),
			 cof_insn_reaches(end, entry(callee)) ? entry(callee) :
			 (uintptr_t)cof_method_stub(callee));
	assert_int_equal(run(), 55);
	piece_add_return(cof, callee, 3);
	assert_int_equal(leads_to(d.calls[0].rel32), entry(callee));
	assert_int_equal(run(), 3);
}

static _Atomic bool stop;

static void *call_and_check(void *arg)
{
	(void)arg;
	while (!stop) {
		int got = run();

		if (got != 1 && got != 2)
			return (void *)(intptr_t)(got ? got : -1);
	}
	return NULL;
}

/* Two threads run the call while it is rewritten. */
static void a_running_call_is_always_one_of_its_targets(void **state)
{
	pthread_t thread[2];
	void *wrong;

	(void)state;
	piece_add_return(cof, callee, 1);
	call_from(60 - 1);
	stop = false;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL,
						call_and_check, NULL), 0);
	for (int i = 0; i < 5000; i++)
		piece_add_return(cof, callee, 1 + i % 2);
	stop = true;
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], &wrong);
		assert_null(wrong);
	}
}

static unsigned callers_of(const struct cof_method *m)
{
	unsigned n = 0;

	for (const struct cof_site *s = m->code.sites; s; s = s->next) {
		assert_ptr_equal(*s->link, s);
		n++;
	}
	return n;
}

static void unbinding_takes_sites_off_every_list(void **state)
{
	static struct cof_call_site calls[4];
	struct cof_version *v;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct piece p = { .n = 0 };
		struct cof_version_desc d;

		for (int k = 0; k < 4; k++)
			piece_call(&p, k % 2 ? caller : callee);
		d = piece_place(cof, &p, calls);
		assert_int_equal(cof_version_add(caller, &d), 0);
	}
	assert_int_equal(callers_of(callee), 6);
	assert_int_equal(callers_of(caller), 6);
	v = caller->current;
	cof_sites_unbind(v);
	assert_int_equal(callers_of(callee), 4);
	cof_sites_unbind(v);
	assert_int_equal(callers_of(callee), 4);
	assert_int_equal(cof_count_get(&cof->flow->patcher.sites), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
		T(a_site_leads_to_the_stub_until_there_is_a_version),
		T(a_site_follows_every_new_version),
		T(only_sites_across_two_lines_stay_on_the_stub),
		T(sites_of_a_retired_version_follow),
		T(a_method_that_calls_itself_calls_its_current_version),
		T(an_entry_out_of_reach_is_called_through_the_stub),
		T(a_running_call_is_always_one_of_its_targets),
		T(unbinding_takes_sites_off_every_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
