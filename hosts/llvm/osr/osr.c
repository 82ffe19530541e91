/*
 * osr.c - see which loops go round, build continuations, lead frames there
 */
#include "osr/osr.h"

#include <stdio.h>
#include <stdlib.h>

#include "compile/annotate.h"
#include "compile/build.h"
#include "compile/unit_compile.h"
#include "count/count.h"
#include "count/insert.h"
#include "ir/body.h"
#include "ir/copy.h"
#include "ir/instruction.h"
#include "points/osr_mark.h"
#include "points/osr_point.h"
#include "points/osr_sparse.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

/* How often a loop is assumed to go round each time it is entered. The profile
 * of an endless loop does not say it. */
#define ROUNDS 4096u

struct job {
	struct cofl_ir         *ir;
	struct cofl_osr_points *points;		/* of the version to be left */
	enum cof_plan           plan;
	LLVMValueRef            f;
	char                    table[COFL_OSR_TABLE_BYTES];
	uint64_t               *arrived;	/* by loop */
	bool                   *wanted;		/* lead frames from here */
	bool                   *built;		/* these, and what they go on
						 * to */
	LLVMValueRef           *to;		/* continuations */

	/* While one is made. */
	uint32_t                loop;
	struct cofl_body        body;
	struct cofl_heat       *heat;		/* of the first, for the unit */
	struct cofl_counting   *counting;
};

/* -- Which loops ----------------------------------------------------------- */

/* The outermost loop around k that goes round, or k. */
static uint32_t outermost(const struct job *j,
			  const struct cofl_osr_entries *osr, uint32_t k)
{
	uint32_t found = k;

	while ((k = osr->loops.loop[k].parent) != COFL_NO_LOOP)
		if (j->arrived[k] != 0 && osr->entry[k].possible)
			found = k;
	return found;
}

/* Loops that have no continuation yet come before others. */
static bool is_free(const struct job *j, uint32_t k)
{
	return atomic_load_explicit(&j->points->word[k].go,
				    memory_order_relaxed) == NULL;
}

static bool is_better(const struct job *j, uint32_t k, uint32_t than)
{
	if (than == COFL_NO_LOOP || is_free(j, k) != is_free(j, than))
		return than == COFL_NO_LOOP || is_free(j, k);
	return j->arrived[k] > j->arrived[than];
}

/* Also build the loops around them, unless that is too much code. */
static void add_outer(struct job *j, const struct cofl_osr_entries *osr)
{
	uint64_t n = cofl_instruction_count(j->f), all = 0;

	for (uint32_t k = 0; k < osr->loops.n_loops; k++)
		for (uint32_t o = k; j->wanted[k] && o != COFL_NO_LOOP;
		     o = osr->loops.loop[o].parent)
			if (!j->built[o] &&
			    (o == k || (osr->entry[o].possible &&
					all + n <= COFL_TUNE(osr_outer)))) {
				j->built[o] = true;
				all += n;
			}
}

static bool choose(struct job *j, const struct cofl_osr_entries *osr)
{
	uint32_t n = osr->loops.n_loops, found = 0;

	for (; found < COFL_TUNE(osr_loops); found++) {
		uint32_t best = COFL_NO_LOOP;

		for (uint32_t k = 0; k < n; k++)
			if (j->arrived[k] != 0 && osr->entry[k].possible &&
			    !j->wanted[outermost(j, osr, k)] &&
			    is_better(j, k, best))
				best = k;
		if (best == COFL_NO_LOOP)
			break;
		j->wanted[outermost(j, osr, best)] = true;
	}
	add_outer(j, osr);
	return found > 0;
}

/* -- The unit -------------------------------------------------------------- */

/* Put the method's profile on the plain clone. */
static void annotate(struct job *j, struct cofl_clone *unit, LLVMValueRef to)
{
	uint32_t header = unit->osr->loops.loop[j->loop].header;
	struct cofl_heat heat = { 0 };

	cofl_body_read(&j->body, to);
	if (cofl_annotate(j->ir->method, to, &j->body, &heat)) {
		uint64_t n = heat.node[header + 1] / ROUNDS;

		/* With 0 the optimizer would take it for cold. */
		cofl_annotate_entries(to, n ? n : 1);
	}
	cofl_body_free(&j->body);
	if (j->heat->node == NULL)
		*j->heat = heat;
	else
		cofl_annotate_heat_free(&heat);
}

/*
 * A continuation of these plans is as good as native code, and can be left in
 * turn, for instrumented code, say. Those of higher plans are there to stay.
 */
static bool has_points(enum cof_plan plan)
{
	return plan <= COF_PLAN_AVERAGE;
}

static void edit(void *arg, struct cofl_clone *unit, LLVMValueRef to,
		 bool cloned)
{
	struct job *j = arg;

	if (j->counting == NULL) {
		if (cloned && j->plan == COF_PLAN_PROFILE)
			annotate(j, unit, to);
		return;
	}
	if (cloned) {
		cofl_body_read(&j->body, to);
		return;
	}
	cofl_count_insert(j->counting, unit, to, &j->body);
	cofl_body_free(&j->body);
}

/* A table of the continuations' addresses, to be read once it is loaded. */
static void add_table(struct job *j, struct cofl_clone *unit, uint32_t n)
{
	LLVMTypeRef ptr = cofl_clone_pointer(unit);
	LLVMValueRef *element = cofl_xcalloc(n, sizeof(LLVMValueRef)), table;

	for (uint32_t k = 0; k < n; k++)
		element[k] = j->to[k] ? j->to[k] : LLVMConstNull(ptr);
	table = LLVMAddGlobal(unit->module, LLVMArrayType2(ptr, n), j->table);
	LLVMSetInitializer(table, LLVMConstArray2(ptr, element, n));
	LLVMSetGlobalConstant(table, 1);
	free(element);
}

/* Make all continuations, outer loops first. NULL: unit->why has the reason. */
static LLVMValueRef make(void *arg, struct cofl_clone *unit,
			 struct cofl_heat *heat)
{
	struct job *j = arg;
	const struct cofl_osr_entries *osr;
	LLVMValueRef *next, first = NULL;
	uint32_t n;

	cofl_osr_mark_prepare(unit, j->f, has_points(j->plan));
	osr = unit->osr;
	if (osr == NULL || osr->loops.n_loops != j->points->n_loops ||
	    !choose(j, osr)) {
		snprintf(unit->why, sizeof(unit->why), "no loop can be left");
		return NULL;
	}
	if (j->plan != COF_PLAN_NONE && has_points(j->plan))
		cofl_osr_sparse(unit->osr, j->built, COFL_TUNE(osr_live));
	n = osr->loops.n_loops;
	next = cofl_xcalloc(n, sizeof(LLVMValueRef));
	j->heat = heat;
	for (uint32_t k = 0; k < n; k++) {
		char name[512];

		if (!j->built[k])
			continue;
		snprintf(name, sizeof(name), "%.490s.%u", j->table, k);
		j->to[k] = cofl_osr_declare(unit, j->f, name);
	}
	for (uint32_t k = 0; k < n; k++) {
		if (!j->built[k])
			continue;
		for (uint32_t o = 0; o < n; o++)
			next[o] = o != k &&
				  cofl_loops_inside(&osr->loops, k, o) ?
				  j->to[o] : NULL;
		j->loop = k;
		cofl_osr_continue(unit, j->f, j->to[k], k, next, edit, j);
		if (first == NULL)
			first = j->to[k];
	}
	j->heat = NULL;
	add_table(j, unit, n);
	unit->osr_of = NULL;	/* not the function as a callee of itself */
	free(next);
	return *unit->why ? NULL : first;
}

/* Build the body as it stands in the file. With plan NONE it counts. */
static int build_plain(struct job *j, const int *stop,
		       struct cof_version_desc *out, char *why,
		       size_t why_bytes)
{
	struct cofl_copy *copy = j->ir->copy;
	struct cofl *host = j->ir->method->host;
	struct cofl_heat heat = { 0 };
	struct cofl_clone unit;
	int err = -COF_E_INVAL;

	if (j->plan == COF_PLAN_NONE) {
		if (!cofl_insert_can(j->f, why, why_bytes))
			return err;
		j->counting = cofl_count_share(j->ir->method);
	}
	cofl_clone_init(&unit, copy, j->ir->method->name);
	if (make(j, &unit, &heat) == NULL) {
		snprintf(why, why_bytes, "%s", unit.why);
	} else {
		cofl_osr_point_finish(&unit);
		err = cofl_build_passes(copy, COFL_DEFAULT,
					"always-inline,"
					"function(sroa,simplifycfg)",
					unit.module, why, why_bytes);
	}
	if (err == 0)
		err = cofl_build_stopped(stop, why, why_bytes);
	if (err == 0)
		err = cofl_build_module(host, copy, COFL_DEFAULT, unit.module,
					j->table, j->plan, out, why, why_bytes);
	if (err == 0) {
		cofl_osr_point_attach(&unit, out);
		((struct cofl_version *)out->data)->counting = j->counting;
	} else {
		cofl_count_unshare(j->counting);
	}
	cofl_build_hazards(host, &unit);
	cofl_clone_dispose(&unit);
	return err;
}

/* -- All of it ------------------------------------------------------------- */

static void log_job(const struct job *j, const char *what)
{
	char line[512];

	snprintf(line, sizeof(line), "LLVM: OSR: %s: %s",
		 cof_method_name(j->ir->method->method), what);
	cof_log_line(j->ir->method->host->cof, line);
}

static int run(struct job *j, const int *stop, struct cof_version_desc *out,
	       char *why, size_t why_bytes)
{
	int err = 0;

	j->f = cofl_build_body(j->ir->method, j->ir->copy, why, why_bytes);
	if (j->f == NULL)
		return -COF_E_INVAL;
	cofl_osr_table_name(j->table, j->ir->method->name);
	if (has_points(j->plan))
		err = build_plain(j, stop, out, why, why_bytes);
	else
		err = cofl_unit_compile_around(j->ir, j->plan, make, j,
					       j->table, j->points->n_loops,
					       stop, out, why, why_bytes);
	if (err == 0) {
		cofl_osr_points_lead(j->points, out->entry);
		out->entry = out->start;
	}
	return err;
}

struct attempt {
	struct job              *job;
	const int               *stop;
	struct cof_version_desc *out;
	char                    *why;
	size_t                   why_bytes;
	int                      err;
};

static void attempt(void *arg)
{
	struct attempt *a = arg;

	a->err = run(a->job, a->stop, a->out, a->why, a->why_bytes);
}

int cofl_osr_run(void *ctx, void *handle, void *version, enum cof_plan plan,
		 const int *stop, struct cof_version_desc *out)
{
	struct cofl_version *v = version;
	struct job j = { .ir = handle, .plan = plan };
	char why[256] = "";
	struct attempt a = { &j, stop, out, why, sizeof(why), 0 };
	int err = -COF_E_STATE;		/* asked again later */
	uint32_t n;

	(void)ctx;
	if (j.ir->method->pinned)	/* by now: native/methods.h */
		return -COF_E_INVAL;
	j.points = v->points;
	n = v->points->n_loops;
	j.arrived = calloc(n, sizeof(*j.arrived));
	j.wanted = calloc(n, sizeof(*j.wanted));
	j.built = calloc(n, sizeof(*j.built));
	j.to = calloc(n, sizeof(*j.to));
	if (j.arrived == NULL || j.wanted == NULL || j.built == NULL ||
	    j.to == NULL) {
		snprintf(why, sizeof(why), "out of memory");
	} else if (!cofl_osr_points_listen(v->points, COFL_TUNE(osr_listen_ms),
					   stop, j.arrived)) {
		snprintf(why, sizeof(why), "no loop goes round");
	} else {
		pthread_mutex_lock(&j.ir->copy->lock);
		if (j.ir->copy->is_spoilt ||
		    !cofl_copy_try(j.ir->copy, attempt, &a, why, sizeof(why)))
			a.err = -COF_E_NOMEM;
		err = a.err;
		pthread_mutex_unlock(&j.ir->copy->lock);
	}
	if (err != 0) {
		*out = (struct cof_version_desc){ .size = sizeof(*out) };
		log_job(&j, why);
	}
	free(j.arrived);
	free(j.wanted);
	free(j.built);
	free(j.to);
	return err;
}
