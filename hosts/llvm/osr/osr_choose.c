/*
 * osr_choose.c - see osr_choose.h
 */
#include "osr/osr_choose.h"

#include <stdlib.h>

#include "ir/instruction.h"
#include "support/tuning.h"

bool cofl_osr_choice_init(struct cofl_osr_choice *c,
			  const struct cofl_osr_points *points)
{
	uint32_t n = points->n_loops;

	*c = (struct cofl_osr_choice){ .points = points };
	c->arrived = calloc(n, sizeof(*c->arrived));
	c->wanted = calloc(n, sizeof(*c->wanted));
	c->built = calloc(n, sizeof(*c->built));
	return c->arrived != NULL && c->wanted != NULL && c->built != NULL;
}

void cofl_osr_choice_free(struct cofl_osr_choice *c)
{
	free(c->arrived);
	free(c->wanted);
	free(c->built);
}

/* The outermost loop around k that goes round, or k. */
static uint32_t outermost(const struct cofl_osr_choice *c,
			  const struct cofl_osr_entries *osr, uint32_t k)
{
	uint32_t found = k;

	while ((k = osr->loops.loop[k].parent) != COFL_NO_LOOP)
		if (c->arrived[k] != 0 && osr->entry[k].possible)
			found = k;
	return found;
}

/* Loops that have no continuation yet come before others. */
static bool is_free(const struct cofl_osr_choice *c, uint32_t k)
{
	return atomic_load_explicit(&c->points->word[k].go,
				    memory_order_relaxed) == NULL;
}

static bool is_better(const struct cofl_osr_choice *c, uint32_t k,
		      uint32_t than)
{
	if (than == COFL_NO_LOOP || is_free(c, k) != is_free(c, than))
		return than == COFL_NO_LOOP || is_free(c, k);
	return c->arrived[k] > c->arrived[than];
}

/* Also build the loops around them, unless that is too much code. */
static void add_outer(struct cofl_osr_choice *c,
		      const struct cofl_osr_entries *osr, LLVMValueRef f)
{
	uint64_t n = cofl_instruction_count(f), all = 0;

	for (uint32_t k = 0; k < osr->loops.n_loops; k++)
		for (uint32_t o = k; c->wanted[k] && o != COFL_NO_LOOP;
		     o = osr->loops.loop[o].parent)
			if (!c->built[o] &&
			    (o == k || (osr->entry[o].possible &&
					all + n <= COFL_TUNE(osr_outer)))) {
				c->built[o] = true;
				all += n;
			}
}

/* The same loops as the other side of the trial. */
static bool choose_as_peer(struct cofl_osr_choice *c,
			   const struct cofl_osr_entries *osr)
{
	bool any = false;

	for (uint32_t k = 0; k < osr->loops.n_loops; k++)
		if (c->peer[k] != NULL && osr->entry[k].possible)
			any = c->built[k] = c->wanted[k] = true;
	return any;
}

bool cofl_osr_choose(struct cofl_osr_choice *c,
		     const struct cofl_osr_entries *osr, LLVMValueRef f)
{
	uint32_t n = osr->loops.n_loops, found = 0;

	if (c->peer != NULL)
		return choose_as_peer(c, osr);
	for (; found < COFL_TUNE(osr_loops); found++) {
		uint32_t best = COFL_NO_LOOP;

		for (uint32_t k = 0; k < n; k++)
			if (c->arrived[k] != 0 && osr->entry[k].possible &&
			    !c->wanted[outermost(c, osr, k)] &&
			    is_better(c, k, best))
				best = k;
		if (best == COFL_NO_LOOP)
			break;
		c->wanted[outermost(c, osr, best)] = true;
	}
	add_outer(c, osr, f);
	return found > 0;
}
