/*
 * reclaim.c - the rounds; see reclaim.h for their steps
 */
#include "reclaim/reclaim.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/role.h"
#include "base/units.h"
#include "code/jitinfo.h"
#include "code/version_list.h"
#include "codemem/block.h"
#include "codemem/codemem.h"
#include "codemem/insn.h"
#include "instance.h"
#include "memory/mem.h"
#include "options/tuning.h"
#include "patcher/method_unload.h"
#include "patcher/retire.h"
#include "patcher/version_record.h"
#include "process/barrier.h"
#include "reclaim/reclaim_private.h"
#include "reclaim/scan.h"
#include "reclaim/unseen_thread.h"
#include "stats/stats_file.h"
#include "threads/threads.h"

struct cof_scan *cof_reclaim_scan(struct cof *cof)
{
	return cof->reclaim ? &cof->reclaim->scan : NULL;
}

/* [code] Has freeing code ended for good? */
static bool is_disabled(const struct cof *cof)
{
	return cof->reclaim->disabled || cof_barrier_failed(cof);
}

/* Take the versions retired since the last round. May code be freed at all? */
static bool take_retired(struct cof *cof, struct cof_reclaim *r)
{
	struct cof_version *v;
	bool enabled;

	pthread_mutex_lock(&cof->code_lock);
	if (cof->retired.n > 0) {
		r->backoff = 0;
		r->search_ns = r->afford_ns;
	}
	while ((v = cof_version_list_pop(&cof->retired))) {
		cof_version_list_push(v->retired.never ? &r->never_freed
						       : &r->retired, v);
		if (cof->hooks.retired)
			cof->hooks.retired(cof, v);
	}
	enabled = !is_disabled(cof);
	pthread_mutex_unlock(&cof->code_lock);
	return enabled;
}

/* -- Step 5: records ------------------------------------------------------- */

/* The copy of `first` is gone, which its method's host has unloaded. If no
 * round has taken `first` yet, the next one will. */
static void release_first(struct cof *cof, struct cof_reclaim *r,
			  struct cof_version *first)
{
	if (cof_method_unload_first(cof, first) &&
	    cof_version_list_remove(&r->never_freed, first))
		cof_version_list_push(&r->retired, first);
}

static void free_records(struct cof *cof, struct cof_reclaim *r)
{
	struct cof_version_list left = { 0 };
	struct cof_version *v, *first;

	while ((v = cof_version_list_pop(&r->free))) {
		if (!cof_version_record_is_unknown(cof, v)) {
			cof_version_list_push(&left, v);
			continue;
		}
		first = v->code.copy_of;
		cof_version_record_free(cof, v);
		if (first)
			release_first(cof, r, first);
	}
	r->free = left;
}

/* -- Step 4: code ---------------------------------------------------------- */

/* False: the host meanwhile asked that nothing is freed. */
static bool release(struct cof *cof, struct cof_version *v)
{
	uint64_t bytes = cof_retire_bytes(v);
	bool freed;

	pthread_mutex_lock(&cof->code_lock);
	freed = !is_disabled(cof);
	if (freed)
		v->state = COF_VERSION_FREE;
	if (freed && v->code.block.exec) {
		cof_codemem_release(cof->codemem, &v->code.block);
		cof_block_count(cof);
	}
	pthread_mutex_unlock(&cof->code_lock);
	if (!freed)
		return false;
	if (!v->code.block.exec)
		cof_version_record_discard(cof, v);
	cof_count_add(&cof->flow->reclaim.freed, 1);
	cof_count_add(&cof->flow->reclaim.freed_bytes, bytes);
	cof_count_add_shared(&cof->flow->reclaim.waiting, -(uint64_t)1);
	cof_count_add_shared(&cof->flow->patcher.code_retired, -bytes);
	return true;
}

/*
 * The barrier protects the next code at these addresses: no processor may still
 * hold instructions that it fetched there before.
 */
static void end_quarantine(struct cof *cof, struct cof_reclaim *r)
{
	uint64_t period_ns = cof->opts.reclaim_ms * COF_MS_NS;
	uint64_t now_ns = cof_clock_ns();
	struct cof_version_list left = { 0 };
	struct cof_version *v;
	bool synced = false;

	while ((v = cof_version_list_pop(&r->quarantine))) {
		if (now_ns - v->retired.at_ns < period_ns) {
			cof_version_list_push(&left, v);
			continue;
		}
		if (!synced)
			cof_barrier(cof);
		synced = true;
		cof_version_list_push(release(cof, v) ? &r->free : &left, v);
	}
	r->quarantine = left;
}

/* -- Steps 1 to 3: search -------------------------------------------------- */

static bool make_ranges(struct cof_reclaim *r)
{
	struct cof_scan_range *to;

	if (!cof_mem_reserve(&r->range, &r->allocated, r->retired.n,
			     sizeof(*to)))
		return false;
	to = r->range;
	for (const struct cof_version *v = r->retired.first; v;
	     v = v->retired.next, to++) {
		to->lo = v->code.start;
		to->hi = v->code.end;
		if (v->code.block.exec) {
			to->lo = (uintptr_t)v->code.block.exec;
			to->hi = to->lo + v->code.block.size_bytes;
		}
		to->raw = v->method->code.raw_reach;
		atomic_store_explicit(&to->inside, false, memory_order_relaxed);
	}
	return true;
}

static void fill(struct cof *cof, struct cof_version *v)
{
	if (!v->code.block.exec)
		return;
	cof_version_record_discard(cof, v);
	/* api/fork_hooks.c copies code memory under this lock. */
	pthread_mutex_lock(&cof->code_lock);
	cof_codemem_own(cof->codemem);
	memset(v->code.block.write, COF_INSN_TRAP, v->code.block.size_bytes);
	pthread_mutex_unlock(&cof->code_lock);
}

/*
 * Returns how many versions it moved. None, if freeing was disabled meanwhile.
 */
static uint32_t to_quarantine(struct cof *cof, struct cof_reclaim *r)
{
	struct cof_version_list all = r->retired, left = { 0 }, gone = { 0 };
	struct cof_scan_range *range = r->range;
	struct cof_version *v;
	uint32_t n;

	pthread_mutex_lock(&cof->code_lock);
	while ((v = cof_version_list_pop(&all))) {
		bool inside = atomic_load_explicit(&range++->inside,
						   memory_order_relaxed);

		if (inside)
			cof_count_add(&cof->flow->reclaim.in_use, 1);
		if (inside || is_disabled(cof) || v->osr.held ||
		    !cof_version_record_is_drained(cof, v)) {
			cof_version_list_push(&left, v);
		} else {
			cof_version_record_unlink(cof, v);
			if (cof->hooks.gone)
				cof->hooks.gone(cof, v);
			cof_version_list_push(&gone, v);
		}
	}
	pthread_mutex_unlock(&cof->code_lock);
	r->retired = left;
	n = gone.n;
	while ((v = cof_version_list_pop(&gone))) {
		fill(cof, v);
		cof_version_list_push(&r->quarantine, v);
	}
	return n;
}

/*
 * A host with fibers lists their stacks, or disables reclaim, if it knows of
 * them. A JIT's guest programs may have some that the host does not know.
 */
static void note_other_stacks(struct cof *cof)
{
	struct cof_threads *threads = cof->threads;
	bool listed;

	if (!atomic_load_explicit(&threads->on_other_stack,
				  memory_order_relaxed) ||
	    cof_count_get(&cof->flow->reclaim.disabled) != 0)
		return;
	pthread_mutex_lock(&threads->lock);
	listed = threads->lists_stacks;
	pthread_mutex_unlock(&threads->lock);
	if (!listed)
		cof_reclaim_disable(cof, "a thread ran on a stack of the "
				    "program's that nobody listed");
}

static uint32_t search(struct cof *cof, struct cof_reclaim *r, uint64_t wait_ns)
{
	struct cof_flow_reclaim *flow = &cof->flow->reclaim;
	bool known;

	pthread_mutex_lock(&cof->code_lock);
	known = make_ranges(r);
	pthread_mutex_unlock(&cof->code_lock);
	if (!known)
		return 0;
	cof_barrier(cof);
	cof_count_add(&flow->rounds, 1);
	if (cof_scan_round(cof, &r->scan, r->range, r->retired.n, wait_ns)) {
		note_other_stacks(cof);		/* seen meanwhile */
		if (!cof_unseen_thread(cof))
			return to_quarantine(cof, r);
		cof_count_add(&flow->unseen_thread, 1);
		return 0;
	}
	cof_count_add(atomic_load_explicit(&r->scan.foreign,
					   memory_order_relaxed) ?
		      &flow->foreign_stack : &flow->no_answer, 1);
	return 0;
}

/* A failed barrier disables reclaim, which the code that met it does not do. */
static void note_barrier_failed(struct cof *cof)
{
	if (cof_barrier_failed(cof) &&
	    cof_count_get(&cof->flow->reclaim.disabled) == 0)
		cof_reclaim_disable(cof,
			"the kernel refuses membarrier(SYNC_CORE)");
}

/* Threads that sleep are looked at on the thread for files. */
static uint64_t cpu_ns(struct cof *cof)
{
	return cof_clock_thread_ns() +
	       cof_count_get(&cof->flow->optimizer.files_ns);
}

uint32_t cof_reclaim_round(struct cof *cof, uint64_t wait_ns)
{
	struct cof_reclaim *r = cof->reclaim;
	uint64_t begin_ns = cof_clock_thread_ns(), now_ns;
	uint32_t found, records;
	bool enabled;

	cof_assert_role(COF_ROLE_PICKER);
	note_barrier_failed(cof);
	note_other_stacks(cof);
	enabled = take_retired(cof, r);
	if (enabled) {
		end_quarantine(cof, r);
		if (r->retired.n > 0 && cof_clock_ns() >= r->search_ns) {
			now_ns = cpu_ns(cof);
			found = search(cof, r, wait_ns);
			cof_reclaim_due_search(cof, r, found,
					       cpu_ns(cof) - now_ns);
		}
	}
	records = r->free.n;
	free_records(cof, r);
	/* The barrier tells whether liburcu's would be refused. */
	if (cof_jitinfo_is_full(cof->index) && cof_barrier(cof))
		cof_jitinfo_collect(cof->index);
	cof_count_add(&cof->flow->reclaim.reclaim_ns,
		      cof_clock_thread_ns() - begin_ns);
	cof_reclaim_due_after_round(r, records);
	return enabled ? r->retired.n + r->quarantine.n : 0;
}

void cof_reclaim_disable_locked(struct cof *cof, const char *why)
{
	char *to = cof->stats_file->header->reclaim_off;

	if (!cof->reclaim->disabled)
		snprintf(to, sizeof(cof->stats_file->header->reclaim_off), "%s",
			 why ? why : "the host asked for it");
	cof->reclaim->disabled = true;
	cof_count_set(&cof->flow->reclaim.disabled, 1);
}

void cof_reclaim_disable(struct cof *cof, const char *why)
{
	pthread_mutex_lock(&cof->code_lock);
	cof_reclaim_disable_locked(cof, why);
	pthread_mutex_unlock(&cof->code_lock);
}

/* -- Life ------------------------------------------------------------------ */

struct cof_reclaim *cof_reclaim_new(void)
{
	struct cof_reclaim *r = cof_mem_alloc(sizeof(*r));

	if (r && cof_scan_init(&r->scan) != 0) {
		cof_mem_free(r);
		return NULL;
	}
	return r;
}

int cof_reclaim_in_child(struct cof *cof)
{
	struct cof_reclaim *r = cof_reclaim_new();

	if (!r)
		return -COF_E_NOMEM;
	pthread_mutex_lock(&cof->code_lock);
	r->disabled = cof->reclaim->disabled;
	/* The thread that forked has answered rounds of these numbers. */
	r->scan.last = cof->reclaim->scan.last;
	cof->reclaim = r;
	cof->retired = (struct cof_version_list){ 0 };
	cof_count_set(&cof->flow->reclaim.disabled, r->disabled);
	pthread_mutex_unlock(&cof->code_lock);
	return 0;
}

void cof_reclaim_end(struct cof *cof, struct cof_version *v)
{
	bool discarded = v->state == COF_VERSION_FREE ||
			 (v->state == COF_VERSION_QUARANTINE &&
			  v->code.block.exec);

	if (!discarded)
		cof_version_record_discard(cof, v);
	cof_version_record_free(cof, v);
}

static void end_all(struct cof *cof, struct cof_version_list *list)
{
	struct cof_version *v;

	while ((v = cof_version_list_pop(list)))
		cof_reclaim_end(cof, v);
}

void cof_reclaim_free(struct cof *cof)
{
	struct cof_reclaim *r = cof->reclaim;

	end_all(cof, &cof->retired);
	end_all(cof, &r->retired);
	end_all(cof, &r->quarantine);
	end_all(cof, &r->free);
	end_all(cof, &r->never_freed);
	cof_scan_free(&r->scan);
	cof_mem_free(r->range);
	cof_mem_free(r);
	cof->reclaim = NULL;
}
