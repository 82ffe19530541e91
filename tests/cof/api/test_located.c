/*
 * test_located.c - the whole loop with locate() and bare entries, as for Mono
 *
 * The methods loop for a while and return which method and version they are.
 * Callers hold the address of the first version for good.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "instance.h"
#include "own_code.h"
#include "process/barrier.h"
#include "stepped_loop.h"
#include "tests/support/balance.h"
#include "tests/support/valgrind.h"

#define OPTIONS "mode=co,stats=none,history=none,code_mb=16,generation_ms=40," \
		"drain_ms=5,reclaim_ms=5,budget_permille=0,"
#define TURNS   200000
#define METHODS 2
#define BODIES  64		/* live at most; more builds fail */

/* An answer is method * BODY_KINDS + one of these. */
enum { FIRST, COPY, BUILT, BODY_KINDS };

struct owner {
	struct cof_method      *method;
	struct cof_version_desc first, copy;
	_Atomic unsigned        located, gathered;
};

static struct cof     *cof;
static struct owner    owner[METHODS];
static void *_Atomic   body[BODIES];	/* made by build(); NULL: free */
static _Atomic unsigned built, discarded;
static _Atomic bool    foreign;	/* locate() got an address of body[] */

/* mov $TURNS, %eax; 1: dec %eax; jnz 1b; mov $answer, %eax; ret */
static void turn_and_answer(struct piece *p, int answer)
{
	const int turns = answer % BODY_KINDS == BUILT ? TURNS / 4 : TURNS;

	p->n = 0;
	piece_bytes(p, 0xb8);
	piece_put(p, &turns, sizeof(turns));
	piece_bytes(p, 0xff, 0xc8, 0x75, 0xfc);
	piece_return(p, answer);
}

static struct cof_version_desc compile(const struct owner *o, int kind)
{
	struct piece p;

	turn_and_answer(&p, (int)(o - owner) * BODY_KINDS + kind);
	return own_place(&p);
}

static bool holds(const struct cof_version_desc *d, const void *ip)
{
	return (uintptr_t)ip - (uintptr_t)d->start < d->size_bytes;
}

static int locate(void *ctx, const void *ip)
{
	(void)ctx;
	for (struct owner *o = owner; o < owner + METHODS; o++) {
		char name[16];

		if (!holds(&o->first, ip))
			continue;
		snprintf(name, sizeof(name), "m%d", (int)(o - owner));
		o->located++;
		if (cof_method_add(cof, name, o, &o->method) != 0)
			return 0;
		return cof_version_add(o->method, &o->first) == 0;
	}
	for (int i = 0; i < BODIES; i++) {
		uintptr_t at = (uintptr_t)atomic_load(&body[i]);

		if (at && (uintptr_t)ip - at < OWN_BYTES)
			foreign = true;
	}
	return 0;
}

/* Put `to` in place of `from`. False: `from` is not there. */
static bool change_body(void *from, void *to)
{
	for (int i = 0; i < BODIES; i++) {
		void *is = from;

		if (atomic_compare_exchange_strong(&body[i], &is, to))
			return true;
	}
	return false;
}

static int estimate(void *ctx, void *m, enum cof_plan now, enum cof_plan plan,
		    struct cof_estimate *out)
{
	(void)ctx, (void)m, (void)now;
	out->speedup = plan == COF_PLAN_SPEED ? 4 : 0;
	out->cost_ns = 20000;
	return 0;
}

static void *gather(void *ctx, void *m)
{
	struct owner *o = m;

	(void)ctx;
	if (o->gathered++ > 0)
		return o;
	if (cof_version_copy(o->method, &o->copy) != 0 ||
	    !own_redirect(o->first.start, cof_method_stub(o->method)))
		return NULL;
	cof_barrier_sync_core();
	return o;
}

/* The code is in the host's own memory, which discard() frees. */
static int build(void *ctx, void *ir, enum cof_plan plan, const int *stop,
		 struct cof_version_desc *out)
{
	const struct owner *o = ir;
	struct piece p;
	void *at;

	(void)ctx, (void)stop;
	turn_and_answer(&p, (int)(o - owner) * BODY_KINDS + BUILT);
	at = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return -1;
	if (!change_body(NULL, at)) {
		munmap(at, OWN_BYTES);
		return -1;
	}
	out->start = out->data = memcpy(at, p.byte, p.n);
	out->size_bytes = p.n;
	out->plan = plan;
	built++;
	return 0;
}

static void discard(void *ctx, void *version)
{
	(void)ctx;
	if (!version)
		return;		/* a first version, or its copy */
	assert_true(change_body(version, NULL));
	munmap(version, OWN_BYTES);
	discarded++;
}

static void start_as(const char *more, bool in_steps)
{
	struct cof_host host = {
		.size = sizeof(host), .name = "test", .estimate = estimate,
		.gather = gather, .build = build, .discard = discard,
		.locate = locate,
	};
	char options[256];

	own_open();
	host.near = own_page;
	memset(owner, 0, sizeof(owner));
	memset(body, 0, sizeof(body));
	built = discarded = 0;
	foreign = false;
	for (struct owner *o = owner; o < owner + METHODS; o++) {
		o->first = compile(o, FIRST);
		o->copy = compile(o, COPY);
	}
	snprintf(options, sizeof(options), OPTIONS "%s", more);
	if (in_steps) {
		assert_int_equal(stepped_start(&host, options, false, NULL), 0);
		cof = stepped.cof;
		return;
	}
	assert_int_equal(cof_start(&host, options, NULL, &cof), 0);
	assert_int_equal(cof_thread_attach(cof, NULL, NULL), 0);
}

static void start(const char *more)
{
	start_as(more, false);
}

static void finish(void)
{
	cof_thread_detach(cof);
	cof_stop(cof);
	assert_null(unbalanced(cof->flow));
	assert_int_equal(cof->flow->patcher.parked, 0);
	cof_free(cof);
	assert_int_equal(discarded, built);
	assert_false(foreign);
	for (int i = 0; i < METHODS; i++)
		assert_true(owner[i].located <= 1);
	own_close();
}

/* Call both methods until `done`. Returns the first one's last answer. */
static int call_until(bool (*done)(int answer))
{
	struct patience p = patience_begin();
	int got;

	do {
		got = piece_run(owner[0].first.start);
		assert_int_equal(got / BODY_KINDS, 0);
		assert_int_equal(piece_run(owner[1].first.start) / BODY_KINDS,
				 1);
		if (patience_is_over(&p)) {
			show_flow(cof->flow);
			fail();
		}
	} while (!done(got));
	return got;
}

static bool is_built(int answer)
{
	return answer == BUILT;
}

static void a_sampled_method_is_located_and_rebuilt(void **state)
{
	(void)state;
	start("audit=off");
	call_until(is_built);
	assert_int_equal(owner[0].located, 1);
	assert_int_equal(owner[0].gathered, 1);
	assert_true(cof_method_samples(owner[0].method) > 0);
	finish();
}

static bool has_been_tried(int answer)
{
	return answer == COPY && cof->flow->patcher.switches > 20;
}

/* Call method i, and spend the time that its answer implies. Returns it. */
static int call_stepped(int i)
{
	const struct owner *o = &owner[i];
	int got = piece_run(o->first.start);

	assert_int_equal(got / BODY_KINDS, i);
	assert_true(stepped.now_ns < 600 * STEPPED_S);
	if (got % BODY_KINDS == BUILT)
		stepped_spend_in(o->method, TURNS / 4);
	else
		stepped_spend(got % BODY_KINDS == COPY ? o->copy.start :
						  o->first.start, TURNS);
	return got;
}

static void a_trial_goes_back_to_the_copy(void **state)
{
	(void)state;
	start_as("audit=on,audit_turn_ms=5", true);
	while (call_stepped(0) != BUILT)
		call_stepped(1);
	while (!has_been_tried(call_stepped(0)))
		call_stepped(1);
	finish();
	cof_clock_injected = NULL;
}

static bool was_freed(int answer)
{
	(void)answer;
	return cof->flow->reclaim.freed >= 30;
}

/*
 * Builds at random are tried, rolled back and freed. libcof never asks locate()
 * about samples of a freed version.
 */
static void samples_of_freed_versions_are_never_located(void **state)
{
	(void)state;
	skip_under_valgrind();	/* running */
	start("stress=7,audit=on,audit_turn_ms=5,sample_hz=1000");
	call_until(was_freed);
	finish();
}

static void in_mode_off_no_sample_is_located(void **state)
{
	(void)state;
	start("mode=off");
	for (int i = 0; i < 100; i++)
		assert_int_equal(piece_run(owner[0].first.start), FIRST);
	finish();
	assert_int_equal(owner[0].located, 0);
}

static bool was_built(int answer)
{
	(void)answer;
	return cof->flow->patcher.drop_DRY_RUN > 0;
}

/* Calls of a gathered method lead to the copy a moment later. */
static bool is_as_gathered(int answer)
{
	return answer == (owner[0].gathered > 0 ? COPY : FIRST);
}

static void in_a_dry_run_only_the_copy_runs(void **state)
{
	(void)state;
	start("dry_run=1,audit=off");
	call_until(was_built);
	call_until(is_as_gathered);
	finish();
}

#define T(name) cmocka_unit_test(name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_sampled_method_is_located_and_rebuilt),
		T(a_trial_goes_back_to_the_copy),
		T(samples_of_freed_versions_are_never_located),
		T(in_mode_off_no_sample_is_located),
		T(in_a_dry_run_only_the_copy_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
