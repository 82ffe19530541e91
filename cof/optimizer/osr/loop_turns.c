/*
 * loop_turns.c - slices, blocks, and the verdict
 */
#include "optimizer/osr/loop_turns.h"

#include "base/units.h"
#include "options/tuning.h"

#define LONGEST_LOOKS 4u	/* before each doubling */

enum { A, B };

static bool is_longest(const struct cof_loop_turns *t)
{
	return t->stretch >= COF_TUNE(trial_stretch_most);
}

/* When the slice ends, or the next look at one without a turn. Looks become
 * rarer; at the longest slices more slowly, as a turn that takes so long is to
 * be seen when it ends. */
static void set_end(struct cof_loop_turns *t, const struct cof_loop_look *look)
{
	uint32_t doublings = is_longest(t) ? t->silent / LONGEST_LOOKS :
					     t->silent;

	if (doublings > COF_TUNE(loop_silent_doublings))
		doublings = COF_TUNE(loop_silent_doublings);
	t->end_ns = look->now_ns + ((COF_TUNE(loop_slice_ms) * COF_MS_NS *
				     t->stretch) << doublings);
}

static void begin_slice(struct cof_loop_turns *t,
			const struct cof_loop_look *look)
{
	t->turns_at[A] = look->turns[A];
	t->turns_at[B] = look->turns[B];
	t->cpu_at = look->cpu_ns;
	t->wall_at = look->now_ns;
	set_end(t, look);
}

/* Returns whether the side changes. */
static bool begin_block(struct cof_loop_turns *t,
			const struct cof_loop_look *look)
{
	bool was = t->b_now;

	t->slice[A] = t->slice[B] = (struct cof_slice){ 0 };
	t->block_right = t->block_wrong = 0;
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

/* The time of threads that run beside each other is the program's once. */
static void spend(struct cof_loop_turns *t, const struct cof_loop_look *look)
{
	uint64_t wall = look->now_ns - t->wall_at;
	uint64_t cpu = look->cpu_ns - t->cpu_at;

	t->spent_ns += look->cpu_ns >= t->cpu_at && cpu < wall ? cpu : wall;
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
	if (right + wrong <= 0)
		return false;
	spend(t, look);
	t->right += right;
	t->wrong += wrong;
	t->block_right += right;
	t->block_wrong += wrong;
	return true;
}

/* No loop went round. The longest slices go on, as one turn may be longer;
 * others begin anew. Look less and less often. */
static void wait(struct cof_loop_turns *t, const struct cof_loop_look *look)
{
	t->silent++;
	if (is_longest(t))
		set_end(t, look);
	else
		begin_slice(t, look);
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

/* Add a block to a stratum, which is as long as so many of the shortest. */
static void add(struct cof_loop_strata *s, const struct cof_loop_turns *t,
		uint32_t shortest)
{
	const struct cof_slice *slice = t->slice;
	uint32_t most = shortest / t->stretch;

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

	if (!wrong || is_longest(t))
		return;
	t->fine = t->coarse = (struct cof_loop_strata){ 0 };
	t->right = t->wrong = 0;
	t->stretch *= 2;
}

/* Did frames stay on the other side all the same? */
static bool is_stray(const struct cof_loop_turns *t)
{
	return is_longest(t) &&
	       t->block_wrong * 100 > (t->block_right + t->block_wrong) *
				      COF_TUNE(trial_stuck_pct);
}

static void end_block(struct cof_loop_turns *t)
{
	const uint32_t pool = COF_TUNE(loop_pool);

	t->crossed += t->slice[A].entries > 0 && t->slice[B].entries > 0;
	t->blocks++;
	if (is_stray(t)) {
		t->strays++;
		return;
	}
	add(&t->fine, t, pool);
	add(&t->coarse, t, pool * pool);
	follow(t);
}

/* One that is as good as A is kept; it was built for what the program does. */
static enum cof_loop_act verdict(struct cof_loop_turns *t, double error,
				 uint64_t most_ns, struct cof_measure *m)
{
	bool over = t->spent_ns >= most_ns ||
		    (t->strays >= COF_TUNE(loop_strays) &&
		     t->strays > t->blocks / 2);

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

static enum cof_loop_act next_block(struct cof_loop_turns *t,
				    const struct cof_loop_look *look)
{
	return begin_block(t, look) ? COF_LOOP_SWITCH : COF_LOOP_STAY;
}

enum cof_loop_act cof_loop_turns_step(struct cof_loop_turns *t,
				      const struct cof_loop_look *look,
				      double error, uint64_t most_ns,
				      struct cof_measure *m)
{
	enum cof_loop_act act;

	if (look->now_ns < t->end_ns)
		return COF_LOOP_STAY;
	if (fell(t, look)) {
		spend(t, look);
		act = verdict(t, error, most_ns, m);
		return act != COF_LOOP_STAY ? act : next_block(t, look);
	}
	if (!end_slice(t, look)) {
		wait(t, look);
		return COF_LOOP_STAY;
	}
	if (t->silent > 0 && !is_longest(t)) {
		wake_up(t);
		return next_block(t, look);
	}
	t->silent = 0;
	if (!t->second) {
		t->second = true;
		t->b_now = !t->b_now;
		begin_slice(t, look);
		return COF_LOOP_SWITCH;
	}
	end_block(t);
	act = verdict(t, error, most_ns, m);
	return act != COF_LOOP_STAY ? act : next_block(t, look);
}
