/*
 * job.c - gather, instrument, collect, build
 */
#include "optimizer/build/job.h"

#include <stdbool.h>

#include "base/clock.h"
#include "instance.h"
#include "memory/mem.h"
#include "optimizer/build/queue.h"

/* The host's handle, gathered for the first build and reused by every later
 * one, until policy/idle_release.c drops it. */
static void *ir_of(struct cof *cof, struct cof_build *b)
{
	const struct cof_host *host = &cof->host;
	struct cof_method *method = b->method;
	uint64_t t0;

	if (!method->build.ir && host->gather) {
		t0 = cof_clock_thread_ns();
		method->build.ir = host->gather(host->ctx, method->data);
		b->gather_ns = cof_clock_thread_ns() - t0;
		b->gathered = method->build.ir != NULL;
	}
	return method->build.ir;
}

static enum cof_build_end ended(struct cof_build *b, int no)
{
	if (no == -COF_E_STATE && b->kind == COF_BUILD_OSR)
		return COF_BUILD_NOT_NOW;
	if (no)
		return COF_BUILD_DECLINED;
	/* A host that forgot to set the plan would be asked for ever. */
	b->desc.plan = b->plan;
	return COF_BUILD_DONE;
}

/* A callback of the host. Nonzero: it declines, or is missing. */
typedef int callback(const struct cof_host *host, void *ir,
		     struct cof_build *b, const int *stop);

static int build(const struct cof_host *host, void *ir, struct cof_build *b,
		 const int *stop)
{
	return host->build ?
	       host->build(host->ctx, ir, b->plan, stop, &b->desc) : 1;
}

static int instrument(const struct cof_host *host, void *ir,
		      struct cof_build *b, const int *stop)
{
	return host->instrument ?
	       host->instrument(host->ctx, ir, stop, &b->desc) : 1;
}

static int continue_loops(const struct cof_host *host, void *ir,
			  struct cof_build *b, const int *stop)
{
	int no = -COF_E_INVAL;

	if (b->tried)
		no = host->osr_try(host->ctx, ir, b->from->code.data, b->plan,
				   stop, &b->desc);
	if (b->tried && (no == 0 || no == -COF_E_STATE ||
			 b->plan != COF_PLAN_PROFILE))
		return no;
	/* The host cannot have it tried, and the frames wait. */
	b->tried = false;
	b->desc = (struct cof_version_desc){ .size = sizeof(b->desc) };
	return host->osr(host->ctx, ir, b->from->code.data, b->plan, stop,
			 &b->desc);
}

static enum cof_build_end make(struct cof *cof, struct cof_build *b,
			       const int *stop, callback *run)
{
	void *ir = ir_of(cof, b);
	uint64_t t0;
	int no;

	if (!ir)
		return COF_BUILD_NO_IR;
	b->desc = (struct cof_version_desc){ .size = sizeof(b->desc) };
	t0 = cof_clock_thread_ns();
	no = run(&cof->host, ir, b, stop);
	b->build_ns += cof_clock_thread_ns() - t0;
	return ended(b, no);
}

/* -- With a profile -------------------------------------------------------- */

/* From the counting version, or from an earlier run. */
static bool take_profile(const struct cof_host *host, struct cof_build *b,
			 void *ir)
{
	if (b->known)
		return host->profile_load &&
		       host->profile_load(host->ctx, b->method->data,
					  b->known, b->known_bytes) == 0;
	return host->collect && host->collect(host->ctx, ir) == 0;
}

/* Collect the profiles of the unit, and set NO_IR or NO_PROFILE for methods
 * without one. Returns how many have a profile. */
static size_t collect(struct cof *cof, struct cof_build *first)
{
	const struct cof_host *host = &cof->host;
	size_t n = 0;

	for (struct cof_build *b = first; b; b = b->peer) {
		void *ir = ir_of(cof, b);
		uint64_t t0 = cof_clock_thread_ns();

		if (!ir) {
			b->end = COF_BUILD_NO_IR;
			continue;
		}
		b->end = COF_BUILD_NO_PROFILE;
		if (b->has_profile || take_profile(host, b, ir)) {
			b->collected = true;
			b->end = COF_BUILD_DECLINED;	/* until it is built */
			n++;
		}
		b->collect_ns = cof_clock_thread_ns() - t0;
	}
	return n;
}

/* Divide the time of a unit in proportion to the estimates. */
static void share_out(struct cof_build *first, uint64_t ns)
{
	double all = 0;

	for (struct cof_build *b = first; b; b = b->peer)
		if (b->collected)
			all += (double)b->estimated_ns + 1;
	for (struct cof_build *b = first; b; b = b->peer)
		if (b->collected)
			b->build_ns += (uint64_t)((double)ns *
				((double)b->estimated_ns + 1) / all);
}

/* False: not built as a unit; each method may still be built alone. */
static bool build_unit(struct cof *cof, struct cof_build *first, size_t n,
		       const int *stop)
{
	const struct cof_host *host = &cof->host;
	struct cof_version_desc *desc;
	void **ir;
	size_t i = 0;
	uint64_t t0;
	int no;

	if (n < 2 || !host->build_unit)
		return false;
	desc = cof_mem_alloc(n * sizeof(*desc));
	ir = cof_mem_alloc(n * sizeof(*ir));
	if (!desc || !ir) {
		cof_mem_free(desc);
		cof_mem_free(ir);
		return false;
	}
	for (struct cof_build *b = first; b; b = b->peer)
		if (b->collected) {
			desc[i].size = sizeof(*desc);
			ir[i++] = b->method->build.ir;
		}
	t0 = cof_clock_thread_ns();
	no = host->build_unit(host->ctx, ir, n, first->plan, stop, desc);
	share_out(first, cof_clock_thread_ns() - t0);
	i = 0;
	for (struct cof_build *b = first; b && !no; b = b->peer)
		if (b->collected) {
			b->desc = desc[i++];
			b->in_unit = b->desc.start != NULL;
			b->end = ended(b, !b->in_unit);
		}
	cof_mem_free(desc);
	cof_mem_free(ir);
	return no == 0;
}

static void build_profiled(struct cof *cof, struct cof_build *first,
			   const int *stop)
{
	size_t n = collect(cof, first);

	if (build_unit(cof, first, n, stop))
		return;
	for (struct cof_build *b = first; b; b = b->peer)
		if (b->collected && !__atomic_load_n(stop, __ATOMIC_RELAXED))
			b->end = make(cof, b, stop, build);
}

void cof_job_run(struct cof *cof, struct cof_build *b, const int *stop)
{
	switch (b->kind) {
	case COF_BUILD_PLAN:
		b->end = make(cof, b, stop, build);
		break;
	case COF_BUILD_INSTRUMENTED:
		b->end = make(cof, b, stop, instrument);
		break;
	case COF_BUILD_PROFILED:
		build_profiled(cof, b, stop);
		break;
	case COF_BUILD_OSR:
		if (!b->collects || collect(cof, b) == 1)
			b->end = make(cof, b, stop, continue_loops);
		break;
	}
}

uint64_t cof_job_ns(const struct cof_build *b)
{
	uint64_t ns = 0;

	for (; b; b = b->peer)
		ns += b->gather_ns + b->collect_ns + b->build_ns;
	return ns;
}
