/*
 * credit.c - credit a sample to the version it fell in; see credit.h
 */
#include "sampler/credit.h"

#include <stdbool.h>

#include "base/role.h"
#include "code/jitinfo.h"
#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "instance.h"
#include "process/stage.h"

enum credit { CREDIT_FIRST, CREDIT_MORE, CREDIT_DEAD, CREDIT_FULL };

/* Add 1 to the version's calls; to no more than 1 if nobody weighs them. */
static enum credit credit_word(_Atomic uint64_t *at, bool weighed)
{
	uint64_t old = atomic_load_explicit(at, memory_order_relaxed);
	struct cof_word w;

	do {
		w = cof_word_unpack(old);
		if (w.flags & COF_WORD_DEAD)
			return CREDIT_DEAD;
		if (!weighed && w.calls > 0)
			return CREDIT_MORE;
		if (w.calls == UINT16_MAX)
			return CREDIT_FULL;
		w.calls++;
	} while (!atomic_compare_exchange_weak_explicit(at, &old,
							cof_word_pack(w),
							memory_order_relaxed,
							memory_order_relaxed));
	return w.calls == 1 ? CREDIT_FIRST : CREDIT_MORE;
}

/* Take the call back. False: PRE has already weighed it. */
static bool uncredit_word(_Atomic uint64_t *at)
{
	uint64_t old = atomic_load_explicit(at, memory_order_relaxed);
	struct cof_word w;

	do {
		w = cof_word_unpack(old);
		if (w.calls == 0)
			return false;
		w.calls--;
	} while (!atomic_compare_exchange_weak_explicit(at, &old,
							cof_word_pack(w),
							memory_order_relaxed,
							memory_order_relaxed));
	return true;
}

/* Tell PRE of the version; in mode pgo P/O, of a method's first. The ring's
 * release orders the word. */
static bool touch(struct cof *cof, struct cof_version *version)
{
	uint64_t rec = (uint64_t)(uintptr_t)version;

	if (cof->opts.mode == COF_MODE_PGO && version->number != 0)
		return true;
	return cof_ring_push(&cof->touched, &rec, 1);
}

/* A method's first version is the host's, whatever its plan: native code may be
 * as good as a plan's. */
static bool is_built(const struct cof_version *version)
{
	return version->number != 0 && !version->code.is_again &&
	       version->plan != COF_PLAN_NONE;
}

static void count(struct cof *cof, const struct cof_version *version)
{
	const struct cof_method *m = version->method;
	struct cof_flow_improved *flow = &cof->flow->improved;

	cof_count_add(&cof->flow->sampler.counted, 1);
	cof_count_add(&flow->counted, 1);
	if (!is_built(version)) {
		cof_count_add(cof_improved_drop(flow, &m->build.improved), 1);
		return;
	}
	cof_count_add(&cof->flow->sampler.recompiled, 1);
	cof_count_add(&flow->rebuilt, 1);
}

/* The version that samples at `at` count for. The acquire pairs with the
 * releases of native_code/first_again.c and patcher/direct_entry.c: its record
 * is there. */
static struct cof_version *counted_for(struct cof_version *at)
{
	struct cof_version *version = at->code.copy_of ? at->code.copy_of : at;
	struct cof_version *again = atomic_load_explicit(&version->code.again,
							 memory_order_acquire);

	return again ? again : version;
}

static void credit(struct cof *cof, struct cof_version *at, uintptr_t pc)
{
	struct cof_flow_sampler *flow = &cof->flow->sampler;
	struct cof_version *version = counted_for(at);

	switch (credit_word(&version->word, cof->opts.mode != COF_MODE_PGO)) {
	case CREDIT_DEAD:
		cof_count_add(&flow->drop_DEAD, 1);
		cof_count_add(&version->sampled.dead, 1);
		return;
	case CREDIT_FULL:
		cof_count_add(&flow->drop_SATURATED, 1);
		return;
	case CREDIT_FIRST:
		if (!touch(cof, version) && uncredit_word(&version->word)) {
			cof_count_add(&flow->drop_TOUCH_FULL, 1);
			return;
		}
		break;
	case CREDIT_MORE:
		break;
	}
	count(cof, version);
	cof_count_add(&version->sampled.total, 1);
	if (cof_word_read(&version->word).flags & COF_WORD_HIT)
		cof_code_buckets_add(&version->sampled.buckets,
			cof_code_buckets_of(pc - at->code.start,
					    at->code.end - at->code.start));
	cof_count_add(&version->method->samples, 1);
}

/* False: there are too many in this round. */
static bool add_unknown(struct cof_unknown *u, uintptr_t pc)
{
	if (u->n == COF_UNKNOWN_MAX)
		return false;
	u->pc[u->n++] = pc;
	return true;
}

static bool is_led(const struct cof_version *version, uintptr_t start)
{
	return version && version->code.start == start &&
	       atomic_load_explicit(&version->code.led, memory_order_relaxed);
}

/*
 * Does what is at `pc`, in `version` if that is not NULL, only lead to
 * versions? It is no time of the rest of the program then: a trial would take
 * it for that (samples_now() of optimizer/trial/trial_scheduler.c). Such are
 *
 *	in code memory     all but versions
 *	in native code     the first instruction of a function that has a copy,
 *	                   and a jump before it, for which that had no room
 */
static bool is_jump(const struct cof *cof, const struct cof_version *version,
		    uintptr_t pc)
{
	if (version)
		return is_led(version, pc);
	if (cof->codemem && cof_codemem_holds(cof->codemem, pc, pc + 1))
		return true;
	pc += COF_INSN_JMP_BYTES;
	return is_led(cof_jitinfo_find(cof->index, pc), pc);
}

void cof_credit(struct cof *cof, uintptr_t pc)
{
	struct cof_flow_sampler *flow = &cof->flow->sampler;
	struct cof_version *version = cof_jitinfo_find(cof->index, pc);

	cof_assert_role(COF_ROLE_SAMPLER);
	if (is_jump(cof, version, pc)) {
		cof_count_add(&flow->taken, 1);
		cof_count_add(&flow->drop_JUMP, 1);
		return;
	}
	if (!version && cof->host.locate && add_unknown(&cof->unknown, pc))
		return;
	cof_count_add(&flow->taken, 1);
	if (version)
		credit(cof, version, pc);
	else
		cof_count_add(&flow->drop_NATIVE, 1);
}

/* An earlier sample of the round may have made the host add the version. */
static struct cof_version *locate(struct cof *cof, uintptr_t pc)
{
	struct cof_version *version = cof_jitinfo_find(cof->index, pc);

	if (!version && cof->host.locate(cof->host.ctx, (const void *)pc) != 0)
		version = cof_jitinfo_find(cof->index, pc);
	return version;
}

void cof_credit_unknown(struct cof *cof, const struct cof_stage *stage)
{
	struct cof_flow_sampler *flow = &cof->flow->sampler;

	cof_assert_role(COF_ROLE_SAMPLER);
	for (uint32_t i = 0; i < cof->unknown.n; i++) {
		bool ask = stage && !cof_stage_stopping(stage);
		uintptr_t pc = cof->unknown.pc[i];
		struct cof_version *version = ask ? locate(cof, pc) : NULL;

		cof_count_add(&flow->taken, 1);
		if (version)
			credit(cof, version, pc);
		else
			cof_count_add(&flow->drop_NATIVE, 1);
	}
	cof->unknown.n = 0;
}
