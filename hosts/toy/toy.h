/*
 * toy.h - the smallest host: a runtime whose compiler fits on a page
 *
 * A call of a toy method with x gives callee(callback(x)) + turns * step.
 * Callback and callee may be missing. The first version takes its turns one by
 * one. Each higher plan takes a fourth of the turns, each four times as far.
 * Each answer says which version gave it, so a test sees not only what was
 * built but also what ran.
 *
 * docs/embedding.md explains it step by step.
 */
#pragma once

#include <stdint.h>

#include "cof.h"

struct toy {
	struct cof      *cof;
	_Atomic unsigned versions;	/* made so far; any thread makes them */
	_Atomic unsigned gathered, dropped, built, discarded;
};

struct toy_method {
	/* The caller sets these. They are constant once the method is added. */
	const char        *name;
	uint32_t           turns;	/* a multiple of TOY_TURNS */
	int32_t            step;
	long             (*callback)(long x);
	struct toy_method *callee;	/* added before */

	/* toy_add() sets these. */
	struct toy        *toy;
	struct cof_method *method;
};

#define TOY_TURNS 64u	/* the highest plan still has a whole turn */

struct toy_answer {		/* in rax and rdx, says the ABI */
	long     value;
	uint64_t version;	/* number << 2 | plan; number from 1 */
};

/* The callbacks for cof_start(). A test may replace some. */
struct cof_host toy_host(struct toy *toy);

int toy_add(struct toy *toy, struct toy_method *m);

static inline struct toy_answer toy_call(const struct toy_method *m, long x)
{
	return ((struct toy_answer (*)(long))cof_method_stub(m->method))(x);
}
