/*
 * test_bounded.c - recompiling for ever does not grow code memory
 *
 * 100 methods are rebuilt in random sizes until there were 10,000 builds. Each
 * time all are built as soon as reclaim has freed the versions of two times
 * before. The most pages that ever back the code range may be 1.25 times the
 * most that is ever live or waiting to be freed.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "codemem/codemem.h"
#include "hosts/toy/toy.h"
#include "instance.h"
#include "predictor/forecast.h"
#include "tests/cof/codemem/backed.h"
#include "tests/support/balance.h"

#define METHODS 100u
#define BUILDS  10000u
#define SIZE_MAX_LG 14		/* blocks of 64 bytes to 16 KiB */

static struct toy toy;
static struct toy_method method[METHODS];
static char name[METHODS][16];
static int (*toy_build)(void *ctx, void *ir, enum cof_plan plan,
			const int *stop, struct cof_version_desc *out);
static void (*toy_discard)(void *ctx, void *version);
static _Atomic uint64_t rng = 1;	/* several workers use it */

static uint64_t next_random(void)
{
	uint64_t z = atomic_fetch_add(&rng, 0x9e3779b97f4a7c15u);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;	/* splitmix64 */
	return (z ^ z >> 27) >> 33;
}

/* What the toy builds, in a block of a random size. */
static int build_any_size(void *ctx, void *ir, enum cof_plan plan,
			  const int *stop, struct cof_version_desc *out)
{
	size_t bytes = (size_t)64 << next_random() % (SIZE_MAX_LG - 5);
	struct cof_code block;

	if (toy_build(ctx, ir, plan, stop, out) != 0)
		return 1;
	bytes += next_random() % bytes;
	if (cof_code_alloc(toy.cof, bytes, COF_CODE_HOT, &block) != 0) {
		cof_code_free(toy.cof, &out->block);
		toy_discard(ctx, out->data);
		return 1;
	}
	memcpy(block.write, out->block.write, out->size_bytes);
	/* A compiler fills its block: each page of it is in use. */
	memset((char *)block.write + out->size_bytes, 0x90,
	       bytes - out->size_bytes);
	cof_code_free(toy.cof, &out->block);
	out->start = block.exec;
	out->block = block;
	out->size_bytes = bytes;
	return 0;
}

static uint64_t backed(void)
{
	return backed_bytes(cof_codemem_range(toy.cof->codemem));
}

static void forecast(struct toy_method *m)
{
	struct cof_forecast f = {
		.version = atomic_load(&m->method->current), .weight = 1,
	};
	uint64_t w[COF_FORECAST_WORDS];

	cof_forecast_pack(&f, w);
	assert_true(cof_ring_push(&toy.cof->forecasts, w, COF_FORECAST_WORDS));
}

static void ten_thousand_recompiles_fit_what_is_live_and_waiting(void **state)
{
	struct cof_host host = toy_host(&toy);
	char why[COF_WHY_BYTES] = "";
	uint64_t most_backed = 0, most_used = 0;
	const struct cof_flow *f;

	(void)state;
	unsetenv("COF_OPTIONS");
	toy_build = host.build;
	toy_discard = host.discard;
	host.build = build_any_size;
	if (cof_start(&host, "mode=co,source=none,stats=none,stress=1,"
		      "build_pct=6400,reclaim_ms=1,generation_ms=1,drain_ms=1",
		      why, &toy.cof) != 0)
		fail_msg("%s", why);
	f = toy.cof->flow;
	assert_int_equal(cof_thread_attach(toy.cof, NULL, NULL), 0);
	for (unsigned i = 0; i < METHODS; i++) {
		snprintf(name[i], sizeof(name[i]), "m%u", i);
		method[i] = (struct toy_method){
			.name = name[i], .turns = 64, .step = (int32_t)i,
		};
		assert_int_equal(toy_add(&toy, &method[i]), 0);
		assert_int_equal(toy_call(&method[i], 1).value, 1 + 64 * i);
	}
	for (unsigned n = METHODS; n <= BUILDS; n += METHODS) {
		uint64_t used, now;

		for (unsigned i = 0; i < METHODS; i++)
			forecast(&method[i]);
		cof_stage_wake(toy.cof->wake.optimizer);
		wait_until(f->patcher.installed == METHODS + n, f);
		used = f->patcher.code_first + f->patcher.code_hot;
		now = backed();
		most_used = used > most_used ? used : most_used;
		most_backed = now > most_backed ? now : most_backed;
		for (unsigned i = 0; i < METHODS; i++)
			assert_int_equal(toy_call(&method[i], 1).value,
					 1 + 64 * i);
		wait_until(f->reclaim.freed + METHODS >= n, f);
	}
	assert_int_equal(f->optimizer.built, BUILDS);
	print_message("backed %llu KiB at most, used %llu KiB at most\n",
		      (unsigned long long)most_backed >> 10,
		      (unsigned long long)most_used >> 10);
	assert_true(most_backed <= most_used + most_used / 4);
	/* Most of what was built was freed meanwhile. */
	assert_true(most_used < f->reclaim.freed_bytes / 10);

	/* The versions that wait are freed in the end. */
	wait_until(f->reclaim.waiting == 0, f);
	assert_int_equal(f->reclaim.freed, BUILDS);
	assert_true(f->patcher.code_retired == 0);
	cof_thread_detach(toy.cof);
	cof_stop(toy.cof);
	assert_null(unbalanced(f));
	cof_free(toy.cof);
	assert_int_equal(toy.discarded, toy.versions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			ten_thousand_recompiles_fit_what_is_live_and_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
