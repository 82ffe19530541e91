/*
 * weight.c - one step of the filter of a version's weight; see weight.h
 */
#include "predictor/weight.h"

/* The next word; *out says what the step did. */
static struct cof_word step(struct cof_word w, uint16_t generation,
			    uint32_t hit_weight, bool may_join,
			    struct cof_fold *out)
{
	uint16_t gap = (uint16_t)(generation - w.generation);
	uint32_t half = cof_weight_decay(w.weight, gap);
	uint32_t before = cof_weight_decay(w.weight, gap ? gap - 1u : 0);
	uint32_t from, to;
	bool high;

	*out = (struct cof_fold){
		.calls = w.calls,
		.was_hit = w.flags & COF_WORD_HIT,
		.settled = w.flags & COF_WORD_SETTLED,
	};
	/*
	 * A version may be beyond the threshold and not in the list: it
	 * inherited its predecessor's weight, or the list had no memory.
	 */
	high = out->was_hit || before >= hit_weight;
	out->weight = high ? cof_weight_hit(half, w.calls) :
			     cof_weight_low(half, w.calls);
	out->is_hit = (out->was_hit || may_join) &&
		      out->weight >= (high ? cof_weight_leave(hit_weight) :
					     hit_weight);
	from = cof_weight_bucket(before);
	to = cof_weight_bucket(out->weight);
	out->climbed = to > from ? to - from : 0;

	w.weight = (uint16_t)out->weight;
	w.calls = 0;
	w.generation = generation;
	w.flags = (uint16_t)((w.flags & ~COF_WORD_HIT) |
			     (out->is_hit ? COF_WORD_HIT : 0));
	return w;
}

/*
 * Relaxed: a word publishes nothing but itself. PRE got the version through the
 * ring, whose order makes the version's record visible.
 */
bool cof_weight_fold(_Atomic uint64_t *word, uint64_t generation,
		     uint32_t hit_weight, bool may_join, struct cof_fold *out)
{
	uint64_t was = atomic_load_explicit(word, memory_order_relaxed);
	uint64_t now;

	do {
		struct cof_word w = cof_word_unpack(was);

		if (w.flags & COF_WORD_DEAD)
			return false;
		now = cof_word_pack(step(w, (uint16_t)generation, hit_weight,
					 may_join, out));
	} while (!atomic_compare_exchange_weak_explicit(word, &was, now,
							memory_order_relaxed,
							memory_order_relaxed));
	return true;
}
