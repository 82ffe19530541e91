/*
 * test_credit.c - a sample is added to a COF word, or dropped by name
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/role.h"
#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "sampler/credit.h"
#include "tests/support/balance.h"
#include "tests/support/bare.h"

static struct bare b;

static int setup(void **state)
{
	(void)state;
	cof_role = COF_ROLE_SAMPLER;
	return bare_open(&b, NULL);
}

static int teardown(void **state)
{
	const char *stage = unbalanced(b.cof.flow);

	(void)state;
	cof_role = COF_ROLE_APP;
	bare_close(&b);
	return stage != NULL;
}

static void set_word(struct cof_word w)
{
	atomic_store(&b.version.word, cof_word_pack(w));
}

static void a_sample_adds_one_call_and_leaves_the_rest(void **state)
{
	const struct cof_word before = { .weight = 7, .calls = 41,
					 .generation = 65535,
					 .flags = COF_WORD_HIT };
	struct cof_word w;

	(void)state;
	set_word(before);
	cof_credit(&b.cof, b.version.code.start);
	cof_credit(&b.cof, b.version.code.end - 1);
	w = cof_word_read(&b.version.word);
	assert_int_equal(w.calls, 43);
	assert_int_equal(w.weight, 7);
	assert_int_equal(w.generation, 65535);
	assert_int_equal(w.flags, COF_WORD_HIT);
	assert_int_equal(b.version.sampled.total, 2);
	assert_int_equal(bare_touched(&b), 0);
	assert_int_equal(cof_count_get(&b.cof.flow->sampler.counted), 2);
}

static void the_first_of_a_generation_goes_to_pre_once(void **state)
{
	(void)state;
	cof_credit(&b.cof, b.version.code.start);
	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(bare_touched(&b), 1);
	set_word((struct cof_word){ .weight = 2 });	/* PRE weighed it */
	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(bare_touched(&b), 1);
}

static void native_and_dead_and_saturated_are_dropped_by_name(void **state)
{
	const struct cof_flow_sampler *flow = &b.cof.flow->sampler;

	(void)state;
	cof_credit(&b.cof, b.version.code.end);
	assert_int_equal(cof_count_get(&flow->drop_NATIVE), 1);
	set_word((struct cof_word){ .flags = COF_WORD_DEAD });
	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(cof_count_get(&flow->drop_DEAD), 1);
	set_word((struct cof_word){ .calls = UINT16_MAX, .weight = 9 });
	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(cof_count_get(&flow->drop_SATURATED), 1);
	assert_int_equal(cof_word_read(&b.version.word).weight, 9);
	assert_int_equal(b.version.sampled.total, 0);
	assert_int_equal(bare_touched(&b), 0);
}

static void what_leads_to_versions_is_no_time_of_the_rest(void **state)
{
	const struct cof_flow_sampler *flow = &b.cof.flow->sampler;
	int err;

	(void)state;
	b.cof.codemem = cof_codemem_new((size_t)4 << 20, 1 << 20, NULL, 0,
					&err);
	assert_non_null(b.cof.codemem);
	cof_credit(&b.cof, cof_codemem_glue(b.cof.codemem));
	assert_int_equal(cof_count_get(&flow->drop_JUMP), 1);
	assert_int_equal(cof_count_get(&flow->drop_NATIVE), 0);
	cof_credit(&b.cof, b.version.code.end);
	assert_int_equal(cof_count_get(&flow->drop_JUMP), 1);
	assert_int_equal(cof_count_get(&flow->drop_NATIVE), 1);
	cof_codemem_free(b.cof.codemem);
	b.cof.codemem = NULL;
}

/* The jump before it is where an entry of less than 5 bytes leads to. */
static void native_code_that_leads_to_a_copy_is_no_time_of_it(void **state)
{
	const struct cof_flow_sampler *flow = &b.cof.flow->sampler;
	uintptr_t start = b.version.code.start;

	(void)state;
	atomic_store(&b.version.code.led, true);
	cof_credit(&b.cof, start);
	cof_credit(&b.cof, start - COF_INSN_JMP_BYTES);
	assert_int_equal(cof_count_get(&flow->drop_JUMP), 2);
	assert_int_equal(cof_count_get(&flow->drop_NATIVE), 0);
	assert_int_equal(b.version.sampled.total, 0);
	cof_credit(&b.cof, start + 1);
	assert_int_equal(b.version.sampled.total, 1);
	cof_credit(&b.cof, start - COF_INSN_JMP_BYTES + 1);
	assert_int_equal(cof_count_get(&flow->drop_NATIVE), 1);
	atomic_store(&b.version.code.led, false);
	cof_credit(&b.cof, start);
	assert_int_equal(b.version.sampled.total, 2);
	cof_credit(&b.cof, start - COF_INSN_JMP_BYTES);
	assert_int_equal(cof_count_get(&flow->drop_NATIVE), 2);
	assert_int_equal(cof_count_get(&flow->drop_JUMP), 2);
}

static void if_the_ring_to_pre_is_full_the_sample_is_taken_back(void **state)
{
	const struct cof_flow_sampler *flow = &b.cof.flow->sampler;
	uint64_t rec = (uintptr_t)&b.version;

	(void)state;
	while (cof_ring_push(&b.cof.touched, &rec, 1))
		;
	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(cof_count_get(&flow->drop_TOUCH_FULL), 1);
	assert_int_equal(cof_word_read(&b.version.word).calls, 0);
	/* So the next sample is the first again. */
	bare_touched(&b);
	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(bare_touched(&b), 1);
	assert_int_equal(cof_word_read(&b.version.word).calls, 1);
}

static void counted_by(cof_count *why)
{
	uint64_t before = cof_count_get(why);

	cof_credit(&b.cof, b.version.code.start);
	assert_int_equal(cof_count_get(why), before + 1);
}

static void a_sample_counts_for_why_its_code_is_no_better(void **state)
{
	struct cof_flow_improved *flow = &b.cof.flow->improved;
	struct cof_method_improved *of = &b.method.build.improved;

	(void)state;
	counted_by(&flow->drop_NOT_PICKED);
	cof_improved_set(of, COF_IMPROVED_NOT_WORTH);
	counted_by(&flow->drop_NOT_WORTH);
	cof_improved_set(of, COF_IMPROVED_SLOWER);
	counted_by(&flow->drop_SLOWER);
	/* That better plans are slower is why there is none. */
	cof_improved_set(of, COF_IMPROVED_NO_ESTIMATE);
	counted_by(&flow->drop_SLOWER);
	cof_improved_set(of, COF_IMPROVED_UNDER_WAY);
	counted_by(&flow->drop_UNDER_WAY);

	b.method.cof = &b.cof;
	b.cof.host.n_reasons = 2;
	cof_method_declined(&b.method, 2);
	counted_by(&flow->drop_HOST_2);
	cof_method_declined(&b.method, 3);	/* it has no such reason */
	cof_improved_set(of, COF_IMPROVED_NO_IR);
	counted_by(&flow->drop_HOST_2);
	cof_method_declined(&b.method, 0);
	counted_by(&flow->drop_NO_IR);

	cof_method_declined(&b.method, 1);
	b.version.plan = COF_PLAN_SPEED;	/* and still the first one */
	counted_by(&flow->drop_HOST_1);
	b.version.number = 1;
	counted_by(&flow->rebuilt);
	assert_int_equal(cof_count_get(&flow->drop_HOST_1), 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_sample_adds_one_call_and_leaves_the_rest),
		T(the_first_of_a_generation_goes_to_pre_once),
		T(native_and_dead_and_saturated_are_dropped_by_name),
		T(what_leads_to_versions_is_no_time_of_the_rest),
		T(native_code_that_leads_to_a_copy_is_no_time_of_it),
		T(if_the_ring_to_pre_is_full_the_sample_is_taken_back),
		T(a_sample_counts_for_why_its_code_is_no_better),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
