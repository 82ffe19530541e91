/*
 * loop_turns.c - slices, blocks, and the verdict
 */
#include "optimizer/osr/loop_turns.h"

#include "base/units.h"
#include "options/tuning.h"

enum { A, B };

static void begin_slice(struct cof_loop_turns *t,
			const struct cof_loop_look *look)
{
	uint32_t silent = t->silent < COF_TUNE(loop_silent_doublings) ?
			  t->silent : COF_TUNE(loop_silent_doublings);

	t->turns_at[A] = look->turns[A];
	t->turns_at[B] = look->turns[B];
	t->cpu_at = look->cpu_ns;
	t->end_ns = look->now_ns + ((COF_TUNE(loop_slice_ms) * COF_MS_NS *
				     t->stretch) << silent);
}

/* Returns whether the side changes. */
static bool begin_block(struct cof_loop_turns *t,
			const struct cof_loop_look *look)
{
	bool was = t->b_now;

	t->slice[A] = t->slice[B] = (struct cof_slice){ 0 };
	t->second = false;
	t->b_now = look->random & 1;
	begin_slice(t, look);
	return t->b_now != was;
}

void cof_loop_turns_begin(struct cof_loop_turns *t,
			  const struct cof_loop_look *look)
{
	*t = (struct cof_loop_turns){ .stretch = 1 };
	begin_slice(t, look);
}

/* Says a number less than before? */
static bool fell(const struct cof_loop_turns *t,
		 const struct cof_loop_look *look)
{
	return look->turns[A] < t->turns_at[A] ||
	       look->turns[B] < t->turns_at[B] || look->cpu_ns < t->cpu_at;
}

/* Returns whether a loop went round. */
static bool end_slice(struct cof_loop_turns *t,
		      const struct cof_loop_look *look)
{
	uint64_t cpu = look->cpu_ns - t->cpu_at;
	double right = (double)(look->turns[t->b_now] - t->turns_at[t->b_now]);
	double wrong = (double)(look->turns[!t->b_now] -
				t->turns_at[!t->b_now]);

	t->slice[t->b_now].entries = right;
	t->slice[t->b_now].cpu_ns = (double)cpu;
	if (right + wrong > 0)
		t->cpu_ns += cpu;
	t->right += right;
	t->wrong += wrong;
	return right + wrong > 0;
}

/* Turns may be longer than a slice. Then it is to be so long. */
static void wake_up(struct cof_loop_turns *t)
{
	uint32_t most = COF_TUNE(trial_stretch_most);

	for (; t->silent > 0; t->silent--)
		t->stretch = t->stretch < most ? t->stretch * 2 : most;
}

static void sum(struct cof_slice *to, const struct cof_slice *from)
{
	to->entries += from->entries;
	to->cpu_ns += from->cpu_ns;
}

/* Add a block, of which `most` are a stratum. */
static void add(struct cof_loop_strata *s, const struct cof_slice slice[2],
		uint32_t most)
{
	sum(&s->slice[A], &slice[A]);
	sum(&s->slice[B], &slice[B]);
	if (++s->blocks < most)
		return;
	cof_evidence_add(&s->evidence, &s->slice[A], &s->slice[B]);
	s->slice[A] = s->slice[B] = (struct cof_slice){ 0 };
	s->blocks = 0;
}

static void measure(const struct cof_loop_turns *t, struct cof_measure *m)
{
	struct cof_measure coarse;

	cof_evidence_measure(&t->fine.evidence, m);
	cof_evidence_measure(&t->coarse.evidence, &coarse);
	if (coarse.known && coarse.error > m->error)
		m->error = coarse.error;
}

/* Do frames not follow? Then forget what was seen, and let slices be longer. */
static void follow(struct cof_loop_turns *t)
{
	bool wrong = t->wrong * 100 >
		     (t->right + t->wrong) * COF_TUNE(trial_wrong_pct);

	if (!wrong || t->stretch >= COF_TUNE(trial_stretch_most))
		return;
	t->fine = t->coarse = (struct cof_loop_strata){ 0 };
	t->right = t->wrong = 0;
	t->stretch *= 2;
}

/* One that is as good as A is kept; it was built for what the program does. */
static enum cof_loop_act verdict(struct cof_loop_turns *t, double error,
				 uint64_t most_ns, struct cof_measure *m)
{
	bool over = t->cpu_ns >= most_ns;

	measure(t, m);
	switch (cof_measure_find(m, error)) {
	case COF_FINDING_FASTER:
		t->found = true;
		return COF_LOOP_KEEP_B;
	case COF_FINDING_SLOWER:
		t->found = true;
		return COF_LOOP_KEEP_A;
	case COF_FINDING_EQUAL:
		over = true;
		break;
	case COF_FINDING_OPEN:
		break;
	}
	if (!over)
		return COF_LOOP_STAY;
	return m->known && m->log_time > COF_TUNE(evidence_equal) ?
	       COF_LOOP_KEEP_A : COF_LOOP_KEEP_B;
}

enum cof_loop_act cof_loop_turns_step(struct cof_loop_turns *t,
				      const struct cof_loop_look *look,
				      double error, uint64_t most_ns,
				      struct cof_measure *m)
{
	const uint32_t pool = COF_TUNE(loop_pool);
	enum cof_loop_act act;

	if (look->now_ns < t->end_ns)
		return COF_LOOP_STAY;
	if (fell(t, look))
		return begin_block(t, look) ? COF_LOOP_SWITCH : COF_LOOP_STAY;
	if (!end_slice(t, look)) {
		/* The program is elsewhere. Look less and less often. */
		t->silent++;
		begin_slice(t, look);
		return COF_LOOP_STAY;
	}
	if (t->silent > 0) {
		wake_up(t);
		return begin_block(t, look) ? COF_LOOP_SWITCH : COF_LOOP_STAY;
	}
	if (!t->second) {
		t->second = true;
		t->b_now = !t->b_now;
		begin_slice(t, look);
		return COF_LOOP_SWITCH;
	}
	t->crossed += t->slice[A].entries > 0 && t->slice[B].entries > 0;
	add(&t->fine, t->slice, pool);
	add(&t->coarse, t->slice, pool * pool);
	follow(t);
	act = verdict(t, error, most_ns, m);
	if (act != COF_LOOP_STAY)
		return act;
	return begin_block(t, look) ? COF_LOOP_SWITCH : COF_LOOP_STAY;
}
