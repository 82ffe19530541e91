/*
 * ladder.c - open the best source, and record why; see ladder.h
 */
#include "sampler/sources/ladder.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "options/opts.h"
#include "threads/threads.h"

/* The sources that each value of the option allows, best first. */
static const struct cof_source *const
choices[][COF_LADDER_RUNGS] = {
	[COF_SOURCE_AUTO]   = { &cof_source_perf, &cof_source_timer,
				&cof_source_itimer },
	[COF_SOURCE_PERF]   = { &cof_source_perf, &cof_source_perf_clock },
	[COF_SOURCE_TIMER]  = { &cof_source_timer },
	[COF_SOURCE_ITIMER] = { &cof_source_itimer },
	[COF_SOURCE_REPLAY] = { &cof_source_replay },
	[COF_SOURCE_NONE]   = { NULL },
};

uint32_t cof_ladder_choose(const struct cof_opts *opts,
			   const struct cof_source *out[COF_LADDER_RUNGS])
{
	uint32_t kind = opts->source, n = 0;

	/* An event was asked for: only perf can count it. */
	if (kind == COF_SOURCE_AUTO && opts->event[0])
		kind = COF_SOURCE_PERF;
	while (n < COF_LADDER_RUNGS && choices[kind][n]) {
		out[n] = choices[kind][n];
		n++;
	}
	return n;
}

__attribute__((format(printf, 2, 3)))
static void say(struct cof_ladder *ladder, const char *format, ...)
{
	size_t len = strlen(ladder->why);
	va_list ap;

	if (len > 0 && len + 2 < sizeof(ladder->why)) {
		strcpy(ladder->why + len, "; ");
		len += 2;
	}
	va_start(ap, format);
	vsnprintf(ladder->why + len, sizeof(ladder->why) - len, format, ap);
	va_end(ap);
}

static bool open_rung(struct cof_ladder *ladder, struct cof_rung *rung)
{
	char why[160] = "the sampling signal is in use";

	if ((rung->source->signals && !ladder->signal) ||
	    rung->source->open(ladder->cof, &rung->own, why,
			       sizeof(why)) != 0) {
		rung->state = COF_RUNG_DECLINED;
		say(ladder, "%s: %s", rung->source->name, why);
		return false;
	}
	rung->state = COF_RUNG_OPEN;
	return true;
}

bool cof_ladder_open(struct cof_ladder *ladder, struct cof *cof,
		     const struct cof_source *const *source, uint32_t n,
		     bool signal)
{
	*ladder = (struct cof_ladder){ .cof = cof, .n = n, .signal = signal };
	for (uint32_t i = 0; i < n; i++)
		ladder->rung[i].source = source[i];
	for (uint32_t i = 0; i < n && !ladder->top; i++)
		if (open_rung(ladder, &ladder->rung[i]))
			ladder->top = &ladder->rung[i];
	if (ladder->top)
		say(ladder, "%s: in use", ladder->top->source->name);
	else if (n == 0)
		say(ladder, "none: asked for");
	return ladder->top != NULL;
}

void cof_ladder_close(struct cof_ladder *ladder)
{
	for (uint32_t i = 0; i < ladder->n; i++) {
		struct cof_rung *rung = &ladder->rung[i];

		if (rung->state == COF_RUNG_OPEN)
			rung->source->close(rung->own);
		rung->state = COF_RUNG_SPARE;
	}
	ladder->top = NULL;
}

bool cof_ladder_reads(const struct cof_ladder *ladder)
{
	for (uint32_t i = 0; i < ladder->n; i++)
		if (ladder->rung[i].state == COF_RUNG_OPEN &&
		    ladder->rung[i].source->read)
			return true;
	return false;
}

bool cof_ladder_attach(struct cof_ladder *ladder, struct cof_thread *t,
		       uint64_t period_ns)
{
	struct cof_rung *rung = ladder->top;

	for (; rung && rung < ladder->rung + ladder->n; rung++) {
		if (rung->state == COF_RUNG_SPARE && !open_rung(ladder, rung))
			continue;
		if (rung->state != COF_RUNG_OPEN)
			continue;
		if (rung->source->attach &&
		    rung->source->attach(rung->own, t, period_ns) != 0)
			continue;
		t->rung = rung;
		atomic_store_explicit(&t->sampled, true, memory_order_relaxed);
		return true;
	}
	return false;
}

void cof_ladder_detach(struct cof_thread *t)
{
	if (!t->rung)
		return;
	if (t->rung->source->detach)
		t->rung->source->detach(t->rung->own, t);
	t->rung = NULL;
	atomic_store_explicit(&t->sampled, false, memory_order_relaxed);
}

void cof_ladder_set_period(struct cof_thread *t, uint64_t period_ns)
{
	if (t->rung && t->rung->source->set_period)
		t->rung->source->set_period(t->rung->own, t, period_ns);
}

/* xorshift64 (Marsaglia 2003). */
void cof_ladder_jitter(struct cof_thread *t, uint64_t period_ns, uint32_t pct)
{
	uint64_t span = period_ns / 100 * pct;

	t->rng ^= t->rng << 13;
	t->rng ^= t->rng >> 7;
	t->rng ^= t->rng << 17;
	cof_ladder_set_period(t, period_ns - span + t->rng % (2 * span + 1));
}
