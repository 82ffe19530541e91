/*
 * history.c - an instance and its history; see history.h
 *
 * While a run is off, nothing is sampled or built, and all threads sleep. The
 * loop begins when the program has used more CPU time than the verdict
 * expected: its input may be larger this time. The run is recorded all the
 * same, since the next verdict rests on how long it took.
 *
 * Where nothing of an earlier run could be installed before the program's first
 * sample, SAM decides a little later (option auto_start_ms). A program that is
 * over by then never opens the file.
 */
#include "history/history.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/units.h"
#include "history/collect.h"
#include "history/known_hot.h"
#include "history/run_verdict.h"
#include "history/store/db_path.h"
#include "instance.h"
#include "memory/mem.h"
#include "process/process.h"
#include "stats/stats_file.h"

/* To the first record; doubled after each. Servers end their workers by
 * signals, which leave no other. */
#define FIRST_NS       (5 * COF_S_NS)
#define FIRST_CHILD_NS COF_S_NS

static void say(struct cof *cof, const char *what, const char *why)
{
	cof_log(cof, "COF: history: %s%s%s", what, why[0] ? ": " : "", why);
}

/* -- Begin ----------------------------------------------------------------- */

static bool get_id(const struct cof *cof, struct cof_history_id *id)
{
	memset(id, 0, sizeof(*id));
	if (!cof->host.identity || cof->host.identity_bytes > sizeof(id->byte))
		return false;
	id->bytes = (uint32_t)cof->host.identity_bytes;
	memcpy(id->byte, cof->host.identity, id->bytes);
	return cof_history_id_ok(id);
}

static void begin_record(const struct cof *cof, struct cof_history *h,
			 uint64_t first_ns)
{
	cof_history_collect_begin(cof, &h->blank);
	h->began_ns = cof_clock_ns();
	h->began_cpu_ns = cof_clock_read(CLOCK_PROCESS_CPUTIME_ID);
	h->period_ns = first_ns;
	h->due_ns = h->began_ns + h->period_ns;
}

/* By the time of a late decision the program may have cleared its environment,
 * or gone to another directory. */
static void find_path(struct cof *cof, struct cof_history *h)
{
	char why[COF_HISTORY_WHY] = "";

	if (cof_history_db_path(cof->opts.history, h->path, why))
		return;
	h->path[0] = '\0';
	say(cof, "not kept", why);
}

/* Called before anything is decided. */
static bool start_io_thread(struct cof *cof, struct cof_history *h)
{
	const struct cof_history_limits limits = {
		.runs = cof->opts.history_runs,
		.short_ns = (int64_t)cof->opts.auto_short_ms * COF_MS_NS,
		.programs = cof->opts.history_programs,
		.bytes = (uint64_t)cof->opts.history_mb << 20,
		.request_ns = cof_history_wait_ns(cof),
	};

	if (h->path[0] == '\0')
		return false;
	h->io_thread = cof_history_io_thread_new(h->path, &limits);
	if (!h->io_thread)
		say(cof, "not kept", "no memory or no more threads");
	return h->io_thread != NULL;
}

static void load(struct cof *cof, struct cof_history *h)
{
	char why[COF_HISTORY_WHY] = "";

	switch (cof_history_io_thread_load(h->io_thread, &h->blank.id,
					   cof_history_wait_ns(cof), &h->past,
					   why)) {
	case COF_HISTORY_OK:
	case COF_HISTORY_NOTHING:
		break;
	default:
		say(cof, "ignored", why);
		break;
	}
}

/* Decides for mode auto. Returns the CPU time at which the loop begins. */
static uint64_t decide_auto(struct cof *cof, struct cof_history *h)
{
	struct cof_history_run *r = &h->blank.run;
	struct cof_history_rules rules;
	char text[COF_HISTORY_WHY];
	uint64_t begins_ns;

	load(cof, h);
	cof_history_rules(&rules, &cof->opts, cof->host.is_finished != 0);
	cof_history_run_evidence(&h->past, r->libcof, r->cpu, &rules,
				 &h->evidence);
	r->verdict = cof_history_run_verdict(&h->evidence, &rules);
	cof_history_explain(r->verdict, &h->evidence, &rules, text,
			    sizeof(text));
	cof_log(cof, "COF: history: %s", text);
	begins_ns = cof->opts.finish ? 0 :
		    cof_history_start_ns(r->verdict, &h->evidence, &rules);
	if (begins_ns != 0)
		snprintf(cof->stats_file->header->mode,
			 sizeof(cof->stats_file->header->mode), "auto: off");
	if (cof_history_hotset_make(&h->hot, &h->past) != 0)
		say(cof, "no hot set", "no memory");
	return begins_ns;
}

/* Returns the CPU time at which the loop begins. */
static uint64_t decide(struct cof *cof, struct cof_history *h)
{
	uint64_t begins_ns = 0;

	if ((cof->opts.mode == COF_MODE_AUTO || cof->opts.finish) &&
	    h->io_thread)
		begins_ns = decide_auto(cof, h);
	atomic_store_explicit(&h->decided, true, memory_order_release); /* A */
	return begins_ns;
}

/* Can nothing be installed before the first sample? So it is if the host has a
 * cache with no version in it, or has none and learns of methods by samples. */
static bool can_wait(const struct cof *cof)
{
	return cof->host.cached_version ? cof->host.no_cached_versions :
					  cof->host.locate != NULL;
}

bool cof_history_waits(const struct cof *cof)
{
	return cof->history && !cof_history_is_decided(cof->history);
}

uint64_t cof_history_decide_late(struct cof *cof)
{
	struct cof_history *h = cof->history;
	uint64_t begins_ns;

	if (!cof_history_waits(cof))
		return 0;
	start_io_thread(cof, h);
	begins_ns = decide(cof, h);
	cof_history_known_late(cof);
	/* Records are due from now on. */
	cof_stage_wake(cof->wake.optimizer);
	return begins_ns;
}

static struct cof_history_io_thread *take_io_thread(struct cof_history *h)
{
	struct cof_history_io_thread *c;

	pthread_mutex_lock(&h->lock);
	c = h->io_thread;
	h->io_thread = NULL;
	pthread_mutex_unlock(&h->lock);
	return c;
}

/* Collects a record of the run so far, to hand to the I/O thread. A child ends
 * when its server does: that is no end by which runs can be compared. */
static void record_now(struct cof *cof, struct cof_history *h, bool ended,
		       struct cof_history_record *to)
{
	*to = h->blank;
	to->run.ended = ended && !h->is_child;
	to->run.loop = cof_has_begun(cof);
	if (!cof_history_collect(cof, h->began_ns, h->began_cpu_ns, to))
		say(cof, "a record is cut short", "no memory");
}

/* Saves the last record and lets the I/O thread go. */
static void finish(struct cof *cof, struct cof_history *h, uint64_t wait)
{
	char why[COF_HISTORY_WHY] = "";
	struct cof_history_record record;
	struct cof_history_io_thread *c;
	enum cof_history_result r;

	if (!cof_history_is_decided(h))
		return;
	record_now(cof, h, true, &record);
	c = take_io_thread(h);
	if (!c) {
		cof_history_record_free(&record);
		return;
	}
	r = cof_history_io_thread_save(c, &record, wait, why);
	if (r != COF_HISTORY_OK && wait > 0 && !h->said)
		say(cof, "this run is not remembered", why);
	/* Behind a filter of seccomp(2) it might not end (cof_quiesce()). */
	cof_history_io_thread_leave(c, r == COF_HISTORY_BUSY ? 0 : wait);
}

static struct cof_history *new_history(const struct cof *cof,
				       const struct cof_history_id *id,
				       uint64_t first_ns)
{
	struct cof_history *h = cof_mem_alloc(sizeof(*h));

	if (!h)
		return NULL;
	pthread_mutex_init(&h->lock, NULL);
	cof_history_arrivals_init(&h->arrivals);
	begin_record(cof, h, first_ns);
	h->blank.id = *id;
	return h;
}

void cof_history_begin(struct cof *cof)
{
	struct cof_history_id id;
	struct cof_history *h;

	if (cof->opts.mode == COF_MODE_OFF || !get_id(cof, &id) ||
	    strcmp(cof->opts.history, "none") == 0)
		return;
	h = new_history(cof, &id, cof->host.is_child ? FIRST_CHILD_NS :
						       FIRST_NS);
	if (!h)
		return;
	h->is_child = cof->host.is_child != 0;
	cof->history = h;
	find_path(cof, h);
	if (cof->opts.mode == COF_MODE_AUTO && !cof->opts.finish &&
	    can_wait(cof) && cof->opts.auto_start_ms > 0)
		cof->begins_cpu_ns = cof->opts.auto_start_ms * COF_MS_NS;
	else if (!start_io_thread(cof, h))
		cof_history_free(cof);
	else
		cof->begins_cpu_ns = decide(cof, h);
}

/*
 * The parent's history stays as it was at the fork, and is not used any more:
 * its threads may have held its locks. Its path is constant. The CPU time of a
 * child begins with the fork.
 */
void cof_history_begin_in_child(struct cof *cof)
{
	const struct cof_history *parents = cof->history;
	struct cof_history *h = NULL;

	if (parents && cof->opts.mode != COF_MODE_PGO &&
	    !cof_history_io_thread_is_lost())
		h = new_history(cof, &parents->blank.id, FIRST_CHILD_NS);
	if (h) {
		memcpy(h->path, parents->path, sizeof(h->path));
		h->began_cpu_ns = 0;
		h->is_child = true;
		cof->begins_cpu_ns = cof->opts.fork_start_ms * COF_MS_NS;
	}
	cof->history = h;
}

void cof_history_begun(struct cof *cof)
{
	if (cof->opts.mode == COF_MODE_AUTO)
		snprintf(cof->stats_file->header->mode,
			 sizeof(cof->stats_file->header->mode), "auto");
	cof_stage_wake(cof->wake.optimizer);
}

/* -- Records --------------------------------------------------------------- */

uint64_t cof_history_due_ns(const struct cof *cof)
{
	struct cof_history *h = cof->history;
	uint64_t now = cof_clock_ns();

	if (!h || !cof_history_is_decided(h) || cof->opts.finish)
		return UINT64_MAX;
	return h->due_ns > now ? h->due_ns - now : 0;
}

static void say_failure(struct cof *cof, struct cof_history *h)
{
	enum cof_history_result r = COF_HISTORY_OK;
	char why[COF_HISTORY_WHY] = "";

	if (h->said)
		return;
	pthread_mutex_lock(&h->lock);
	if (h->io_thread)
		r = cof_history_io_thread_result(h->io_thread, why);
	pthread_mutex_unlock(&h->lock);
	if (r == COF_HISTORY_OK)
		return;
	h->said = true;
	say(cof, "this run is not remembered", why);
}

void cof_history_turn(struct cof *cof)
{
	char why[COF_HISTORY_WHY] = "";
	struct cof_history *h = cof->history;
	struct cof_history_record record;

	if (!h || cof_history_due_ns(cof) > 0)
		return;
	if (h->period_ns < cof->opts.history_save_s * COF_S_NS)
		h->period_ns *= 2;
	if (h->period_ns > cof->opts.history_save_s * COF_S_NS)
		h->period_ns = cof->opts.history_save_s * COF_S_NS;
	h->due_ns = cof_clock_ns() + h->period_ns;
	say_failure(cof, h);
	record_now(cof, h, false, &record);
	pthread_mutex_lock(&h->lock);
	if (h->io_thread)
		cof_history_io_thread_save(h->io_thread, &record, 0, why);
	pthread_mutex_unlock(&h->lock);
	cof_history_record_free(&record);
}

void cof_history_end(struct cof *cof)
{
	if (cof->history && !cof->opts.finish)
		finish(cof, cof->history, cof_history_wait_ns(cof));
}

void cof_history_free(struct cof *cof)
{
	struct cof_history *h = cof->history;

	if (!h)
		return;
	cof_history_io_thread_leave(take_io_thread(h), 0);
	cof_history_hotset_free(&h->hot);
	cof_history_past_free(&h->past);
	cof_history_arrivals_free(&h->arrivals);
	pthread_mutex_destroy(&h->lock);
	cof_mem_free(h);
	cof->history = NULL;
}
