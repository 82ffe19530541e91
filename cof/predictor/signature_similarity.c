/*
 * signature_similarity.c - the overlap, cell by cell; see
 * signature_similarity.h
 */
#include "predictor/signature_similarity.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "measure/sampling_noise.h"
#include "options/tuning.h"

static double corrected(double overlap, double lost)
{
	return fmin(cof_sampling_noise_correct(overlap, lost), 1);
}

static double body_overlap(const struct cof_phase_signature_body *here,
			   const struct cof_phase_signature_body *there)
{
	double v = cof_phase_signature_variance(&here->sum) +
		   cof_phase_signature_variance(&there->sum);
	double overlap = 0, lost = 0;

	for (uint32_t i = 0; i < COF_CODE_BUCKETS; i++) {
		double a = here->bucket[i] / here->sum.mass;
		double b = there->bucket[i] / there->sum.mass;

		overlap += a < b ? a : b;
		lost += cof_sampling_noise_loss(b, v);
	}
	return corrected(overlap, lost);
}

/* Within a method: the mean over its versions. `unknown`: the overlap of a
 * version that has too few samples there. */
static double part_overlap(const struct cof_phase_signature_part *here,
			   const struct cof_phase_signature_part *there,
			   double unknown)
{
	double sum = 0, mass = 0;

	for (uint32_t i = 0; i < here->n; i++) {
		const struct cof_phase_signature_body *a = &here->body[i];
		const struct cof_phase_signature_body *b =
			cof_phase_signature_body(there, a->number);

		if (a->sum.mass < COF_TUNE(phase_body_window))
			continue;
		mass += a->sum.mass;
		sum += a->sum.mass *
		       (b && b->sum.mass >= COF_TUNE(phase_body_signature) ?
				body_overlap(a, b) :
				unknown);
	}
	return mass > 0 ? sum / mass : 1;
}

/* A method that is in one of the two, or in both. The missing part is NULL. */
struct cell {
	const struct cof_method *method;
	const struct cof_phase_signature_part *a, *b;	/* here, there */
	double q, p;					/* shares here, there */
};

struct cells {
	uint32_t    n;
	struct cell cell[2 * COF_PHASE_SIGNATURE_PARTS];
};

static void cells_make(struct cells *c, const struct cof_phase_signature *here,
		       const struct cof_phase_signature *there)
{
	c->n = 0;
	for (uint32_t i = 0; i < there->n; i++) {
		const struct cof_phase_signature_part *b = &there->part[i];
		const struct cof_phase_signature_part *a =
			cof_phase_signature_part(here, b->method);

		c->cell[c->n++] = (struct cell){
			b->method, a, b, a ? a->calls / here->sum.mass : 0,
			b->calls / there->sum.mass,
		};
	}
	for (uint32_t i = 0; i < here->n; i++) {
		const struct cof_phase_signature_part *a = &here->part[i];

		if (!cof_phase_signature_part(there, a->method))
			c->cell[c->n++] = (struct cell){
				a->method, a, NULL, a->calls / here->sum.mass,
				0,
			};
	}
}

/* The share of the method's samples that are in that version. */
static double part_in(const struct cof_phase_signature_part *part,
		      uint32_t number)
{
	const struct cof_phase_signature_body *b =
		part ? cof_phase_signature_body(part, number) : NULL;

	return b && part->calls > 0 ? fmin(b->calls / part->calls, 1) : 0;
}

/* Move the excess of a method to methods inlined in it that lack samples. */
static void give_back(const struct cof_inlined *inlined, struct cells *c,
		      struct cell *from, bool is_here)
{
	const struct cof_phase_signature_part *part =
		is_here ? from->a : from->b;
	const struct cof_phase_signature_part *other =
		is_here ? from->b : from->a;
	double *have = is_here ? &from->q : &from->p;
	double most = is_here ? from->q - from->p : from->p - from->q;

	for (uint32_t k = 0; part && k < part->n && most > 0; k++) {
		uint32_t number = part->body[k].number;
		const struct cof_inlined_version *in =
			cof_inlined_in(inlined, from->method, number);
		double left = most *
			(part_in(part, number) - part_in(other, number));

		for (uint32_t i = 0; in && i < c->n && left > 0; i++) {
			struct cell *to = &c->cell[i];
			double lack = is_here ? to->p - to->q : to->q - to->p;

			for (uint32_t m = 0; m < in->n && lack > 0; m++) {
				if (in->of[m] != to->method)
					continue;
				lack = lack < left ? lack : left;
				*(is_here ? &to->q : &to->p) += lack;
				*have -= lack;
				left -= lack;
				break;
			}
		}
	}
}

double cof_signature_similarity(const struct cof_inlined *inlined,
				const struct cof_phase_signature *here,
				const struct cof_phase_signature *there,
				double unknown)
{
	double overlap = 0, lost = 0, v, q = 1, p = 1;
	struct cells c;

	if (!(here->sum.mass > 0) || !(there->sum.mass > 0))
		return 0;
	v = cof_phase_signature_variance(&here->sum) +
	    cof_phase_signature_variance(&there->sum);
	cells_make(&c, here, there);
	for (uint32_t i = 0; i < c.n; i++) {
		give_back(inlined, &c, &c.cell[i], true);
		give_back(inlined, &c, &c.cell[i], false);
	}
	for (uint32_t i = 0; i < c.n; i++) {
		const struct cell *at = &c.cell[i];

		if (at->p < COF_TUNE(phase_cell_signature) &&
		    at->q < COF_TUNE(phase_cell_window))
			continue;
		overlap += fmin(at->q, at->p) *
			   (at->a && at->b ?
			    part_overlap(at->a, at->b, unknown) : 1);
		lost += cof_sampling_noise_loss(at->p, v);
		q -= at->q;
		p -= at->p;
	}
	/* All other methods are one cell. */
	q = fmax(q, 0);
	p = fmax(p, 0);
	lost += cof_sampling_noise_loss(p, v);
	return corrected(overlap + fmin(q, p), lost);
}
