/*
 * run_verdict.c - the first rule that holds, and a sentence for it
 */
#include "history/run_verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "options/tuning.h"

/* Nothing was gained, and not for want of trying or measuring. A program that
 * was measured to save more than a little is on its way to a gain: its cost so
 * far was builds, on a machine that may have been busy. */
static bool cannot_gain(const struct cof_run_evidence *e,
			const struct cof_history_rules *rules)
{
	return e->judged >= COF_TUNE(history_agreeing_runs) &&
	       e->best_permille < rules->gain_permille &&
	       e->saved_permille < COF_TUNE(verdict_saved_permille) &&
	       ((e->open_permille < COF_TUNE(verdict_open_permille) &&
		 e->unsure_permille < rules->gain_permille) ||
		e->sampled >= COF_TUNE(history_chance_runs));
}

/* The judged runs gained, if what is believed is true. They can be compared
 * with another, since one had from its start what it is believed to gain. */
static bool is_promise(const struct cof_run_evidence *e,
		       const struct cof_history_rules *rules)
{
	return e->judged >= COF_TUNE(history_agreeing_runs) &&
	       e->whole == e->judged &&
	       e->best_permille >= rules->gain_permille &&
	       e->saved_permille < rules->gain_permille && e->with_ns > 0 &&
	       (double)e->slowest_ns <=
		       (double)e->fastest_ns * COF_TUNE(history_alike);
}

/* Runs that do the same differ by chance: by as much as the judged ones do, as
 * far as is known. A run that chance may have made so fast refutes nothing. */
static bool is_refuted(const struct cof_run_evidence *e)
{
	double chance = (double)e->slowest_ns / (double)e->fastest_ns;

	return e->alone_ns > 0 && (double)e->alone_ns * chance <
				  (double)e->with_ns *
				  (1 + (double)e->best_permille / 2000);
}

/* Is it longer than `with_ns`, a run with libcof, by so much, and by more than
 * chance? */
static bool is_longer(int64_t with_ns, int64_t ns, int64_t permille,
		      int64_t least)
{
	double by = (double)(permille > least ? permille : least) / 1000;

	return ns > 0 && (double)ns >= (double)with_ns * (1 + by);
}

/* The run without libcof took longer by all that is believed: no second one is
 * needed. Or none is, as the first run took longer by half of it: what it built
 * came on its way, and what it waited for does not count. */
static bool is_confirmed(const struct cof_run_evidence *e)
{
	int64_t clear = COF_TUNE(verdict_clear_permille);

	return is_longer(e->with_ns, e->alone_ns, e->best_permille, clear) ||
	       is_longer(e->with_ns, e->first_ns, e->best_permille / 2,
			 2 * clear);
}

/* Short runs as a whole. The one that knew nothing is one run, and the first of
 * all, so it does not count for long: then some are off. A run that takes more
 * than twice as long does something else. */
static bool are_faster(const struct cof_run_evidence *e, int64_t least)
{
	int64_t off_ns = e->off_ns;

	if (off_ns == 0 && e->loops < 2 * COF_TUNE(history_finish_runs))
		off_ns = e->unknowing_ns;
	return e->with_libcof_ns > 0 && off_ns <= 2 * e->with_libcof_ns &&
	       is_longer(e->with_libcof_ns, off_ns, least, 0);
}

bool cof_history_runs_gained(const struct cof_run_evidence *e)
{
	int64_t least = 2 * COF_TUNE(verdict_clear_permille);

	return (e->judged > 0 &&
		(is_longer(e->fastest_ns, e->alone_ns, least, 0) ||
		 is_longer(e->fastest_ns, e->first_ns, least, 0))) ||
	       are_faster(e, least);
}

enum cof_history_verdict
cof_history_run_verdict(const struct cof_run_evidence *e,
			const struct cof_history_rules *rules)
{
	if (e->runs == 0)
		return COF_HISTORY_FIRST;
	if (e->loops == 0 || e->since_loop >= rules->retry_runs)
		return COF_HISTORY_RETRY;
	if (e->recent >= COF_TUNE(history_agreeing_runs) &&
	    e->loops >= rules->short_loops &&
	    e->longest_ns < rules->short_ns && e->repaid == 0 &&
	    !cof_history_runs_gained(e))
		return COF_HISTORY_SHORT;
	if (cannot_gain(e, rules))
		return COF_HISTORY_NO_GAIN;
	if (is_promise(e, rules) && is_refuted(e))
		return COF_HISTORY_NO_GAIN;
	if (is_promise(e, rules) &&
	    e->alone < COF_TUNE(history_agreeing_runs) &&
	    e->since_loop < COF_TUNE(history_agreeing_runs) && !is_confirmed(e))
		return COF_HISTORY_COMPARE;
	return e->hot > 0 ? COF_HISTORY_WARM : COF_HISTORY_FULL;
}

uint64_t cof_history_start_ns(enum cof_history_verdict v,
			      const struct cof_run_evidence *e,
			      const struct cof_history_rules *rules)
{
	switch (v) {
	case COF_HISTORY_SHORT:
		return (uint64_t)rules->short_ns;
	case COF_HISTORY_NO_GAIN:
	case COF_HISTORY_COMPARE:
		return (uint64_t)e->judged_ns * COF_TUNE(verdict_longer);
	default:
		return 0;
	}
}

const char *cof_history_verdict_name(enum cof_history_verdict v)
{
	static const char *const name[COF_HISTORY_VERDICTS] = {
		[COF_HISTORY_AS_TOLD] = "as told",
		[COF_HISTORY_FIRST] = "first",
		[COF_HISTORY_FULL] = "full",
		[COF_HISTORY_WARM] = "warm",
		[COF_HISTORY_RETRY] = "retry",
		[COF_HISTORY_NO_GAIN] = "off, no gain",
		[COF_HISTORY_SHORT] = "off, too short",
		[COF_HISTORY_COMPARE] = "off, to compare",
	};

	return (unsigned)v < COF_HISTORY_VERDICTS ? name[v] : "?";
}

void cof_history_explain(enum cof_history_verdict v,
			 const struct cof_run_evidence *e,
			 const struct cof_history_rules *rules,
			 char *buf, size_t bytes)
{
	uint32_t left = rules->retry_runs > e->since_loop ?
			rules->retry_runs - e->since_loop : 0;
	double best = (double)e->best_permille / 10;
	double begins = (double)cof_history_start_ns(v, e, rules) / 1e9;

	switch (v) {
	case COF_HISTORY_FIRST:
		if (e->others > 0)
			snprintf(buf, bytes, "runs as in mode full: its %u "
				 "runs were with another CPU or libcof",
				 e->others);
		else
			snprintf(buf, bytes,
				 "runs as in mode full: it is not known yet");
		break;
	case COF_HISTORY_FULL:
		snprintf(buf, bytes, "runs as in mode full: no run of %u left "
			 "a hot set worth building at once", e->runs);
		break;
	case COF_HISTORY_WARM:
		snprintf(buf, bytes, "runs as in mode full and builds %u known "
			 "hot methods at once, %u with a profile", e->hot,
			 e->profiles);
		break;
	case COF_HISTORY_RETRY:
		snprintf(buf, bytes, "runs as in mode full, to try again: the "
			 "last %u runs were off", e->since_loop);
		break;
	case COF_HISTORY_COMPARE:
		snprintf(buf, bytes, "turns itself off, to compare: what "
			 "the last %u runs gained, %+.1f %% at best, is "
			 "believed and was not measured; on again after %.1f s "
			 "of CPU", e->judged, best, begins);
		break;
	case COF_HISTORY_NO_GAIN:
		if (is_promise(e, rules)) {
			snprintf(buf, bytes, "turns itself off: of a gain of "
				 "%+.1f %% that was believed less than half is "
				 "seen: %.2f s of CPU with it and %.2f s "
				 "without; on again after %.1f s of CPU, or %u "
				 "more runs", best, (double)e->with_ns / 1e9,
				 (double)e->alone_ns / 1e9, begins, left);
			break;
		}
		snprintf(buf, bytes, "turns itself off: the last %u runs "
			 "gained %+.1f %% at best, less than %.1f %%; on again "
			 "after %.1f s of CPU, or %u more runs", e->judged,
			 best, (double)rules->gain_permille / 10, begins, left);
		break;
	case COF_HISTORY_SHORT:
		snprintf(buf, bytes, "turns itself off: the last %u runs took "
			 "at most %" PRId64 " ms of CPU, less than %" PRId64
			 " ms; on again as soon as it takes longer, or after "
			 "%u more runs", e->recent, e->longest_ns / 1000000,
			 rules->short_ns / 1000000, left);
		break;
	default:
		snprintf(buf, bytes, "does as option mode says");
		break;
	}
}
