/*
 * phase_signature.c - sums of samples; see phase_signature.h
 */
#include "predictor/phase_signature.h"

#include <stddef.h>

static void sum_add(struct cof_phase_signature_sum *to,
		    const struct cof_phase_signature_sum *from, float keep)
{
	to->mass = to->mass * keep + from->mass;
	to->mass2 = to->mass2 * keep * keep + from->mass2;
}

double cof_phase_signature_variance(const struct cof_phase_signature_sum *s)
{
	return s->mass > 0 ? (double)s->mass2 / ((double)s->mass * s->mass) : 1;
}

const struct cof_phase_signature_part *
cof_phase_signature_part(const struct cof_phase_signature *signature,
			 const struct cof_method *method)
{
	for (uint32_t i = 0; i < signature->n; i++)
		if (signature->part[i].method == method)
			return &signature->part[i];
	return NULL;
}

const struct cof_phase_signature_body *
cof_phase_signature_body(const struct cof_phase_signature_part *part,
			 uint32_t number)
{
	for (uint32_t i = 0; i < part->n; i++)
		if (part->body[i].number == number)
			return &part->body[i];
	return NULL;
}

/* The method's part. A new part replaces the smallest if the table is full.
 * NULL: none is smaller than `calls`. */
static struct cof_phase_signature_part *
make_part(struct cof_phase_signature *signature,
	  const struct cof_method *method, float calls)
{
	struct cof_phase_signature_part *p =
		(struct cof_phase_signature_part *)
		cof_phase_signature_part(signature, method);

	if (p)
		return p;
	if (signature->n < COF_PHASE_SIGNATURE_PARTS) {
		p = &signature->part[signature->n++];
	} else {
		p = &signature->part[0];
		for (uint32_t i = 1; i < signature->n; i++)
			if (signature->part[i].calls < p->calls)
				p = &signature->part[i];
		if (p->calls >= calls)
			return NULL;
	}
	p->method = method;
	p->calls = 0;
	p->n = 0;
	return p;
}

/* The version's body. A new body replaces the one seen longest ago. */
static struct cof_phase_signature_body *
make_body(struct cof_phase_signature_part *part, uint32_t number)
{
	struct cof_phase_signature_body *b =
		(struct cof_phase_signature_body *)
		cof_phase_signature_body(part, number);

	if (b)
		return b;
	if (part->n < COF_PHASE_SIGNATURE_BODIES) {
		b = &part->body[part->n++];
	} else {
		b = &part->body[0];
		for (uint32_t i = 1; i < part->n; i++)
			if (part->body[i].seen < b->seen)
				b = &part->body[i];
	}
	*b = (struct cof_phase_signature_body){ .number = number };
	return b;
}

static void body_add(struct cof_phase_signature_part *part,
		     const struct cof_phase_signature_body *from,
		     uint32_t tick, float keep)
{
	struct cof_phase_signature_body *b;

	if (!(from->calls > 0) && !(from->sum.mass > 0))
		return;
	b = make_body(part, from->number);
	b->seen = tick;
	b->calls += from->calls;
	if (!(from->sum.mass > 0))
		return;
	sum_add(&b->sum, &from->sum, keep);
	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++)
		b->bucket[i] = b->bucket[i] * keep + from->bucket[i];
}

void cof_phase_signature_add(struct cof_phase_signature *to,
			     const struct cof_phase_signature *from,
			     float keep)
{
	to->tick++;
	sum_add(&to->sum, &from->sum, keep);
	for (uint32_t i = 0; i < to->n; i++) {
		to->part[i].calls *= keep;
		for (uint32_t k = 0; k < to->part[i].n; k++)
			to->part[i].body[k].calls *= keep;
	}
	for (uint32_t i = 0; i < from->n; i++) {
		const struct cof_phase_signature_part *f = &from->part[i];
		struct cof_phase_signature_part *p =
			make_part(to, f->method, f->calls);

		if (!p)
			continue;
		p->calls += f->calls;
		for (uint32_t k = 0; k < f->n; k++)
			body_add(p, &f->body[k], to->tick, keep);
	}
}

void cof_phase_signature_count(struct cof_phase_signature *window,
			       const struct cof_phase_signature_sample *s,
			       uint32_t n, uint32_t all)
{
	window->tick++;
	window->samples += all;
	window->sum.mass += (float)all;
	window->sum.mass2 += (float)all;
	for (uint32_t i = 0; i < n; i++) {
		float calls = (float)s[i].calls, pace = s[i].pace;
		struct cof_phase_signature_body body = {
			.number = s[i].number, .calls = calls * pace,
		};
		struct cof_phase_signature_part *p;

		if (s[i].calls == 0)
			continue;
		window->sum.mass += calls * (pace - 1);
		window->sum.mass2 += calls * (pace * pace - 1);
		p = make_part(window, s[i].method, calls * pace);
		if (!p)
			continue;
		p->calls += calls * pace;
		for (uint32_t k = 0; k < COF_CODE_BUCKETS; k++) {
			body.bucket[k] = s[i].bucket[k];
			body.sum.mass += s[i].bucket[k];
		}
		body.sum.mass2 = body.sum.mass;
		body_add(p, &body, window->tick, 1);
	}
}
