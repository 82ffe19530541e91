/*
 * osr.c - see which loops go round, build continuations, lead frames there
 */
#include "osr/osr.h"

#include <stdio.h>
#include <stdlib.h>

#include "compile/annotate.h"
#include "compile/build.h"
#include "compile/unit_compile.h"
#include "count/chords.h"
#include "count/insert.h"
#include "ir/body.h"
#include "ir/copy.h"
#include "link/loader.h"
#include "osr/osr_choose.h"
#include "points/osr_mark.h"
#include "points/osr_point.h"
#include "points/osr_sparse.h"
#include "profile/counting.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

/* How often a loop is assumed to go round each time it is entered. The profile
 * of an endless loop does not say it. */
#define ROUNDS 4096u

struct job {
	struct cofl_ir         *ir;
	struct cofl_osr_points *points;		/* of the version to be left */
	enum cof_plan           plan;
	bool                    tried;		/* for a trial of loops */
	LLVMValueRef            f;
	char                    table[COFL_OSR_TABLE_BYTES];
	struct cofl_osr_choice  choice;
	LLVMValueRef           *to;		/* continuations, by loop */

	/* While one is made. */
	uint32_t                loop;
	struct cofl_body        body;
	struct cofl_heat       *heat;		/* of the first, for the unit */
	struct cofl_counting   *counting;
};

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
static bool has_points(const struct job *j)
{
	return j->tried || j->plan <= COF_PLAN_AVERAGE;
}

/* Does the body make room on the stack, other than for its own variables? That
 * room would be gone where a frame leaves nothing behind. */
static bool makes_room(LLVMValueRef f)
{
	LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(f);

	while ((b = LLVMGetNextBasicBlock(b)) != NULL)
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			if (LLVMIsAAllocaInst(i))
				return true;
	return false;
}

/* Marks for the points that the continuations will have. False: unit->why. */
static bool prepare(struct job *j, struct cofl_clone *unit)
{
	const struct cofl_osr_entries *osr;

	cofl_osr_mark_prepare(unit, j->f, has_points(j));
	osr = unit->osr;
	if (osr == NULL || osr->loops.n_loops != j->points->n_loops ||
	    !cofl_osr_choose(&j->choice, osr, j->f)) {
		snprintf(unit->why, sizeof(unit->why), "no loop can be left");
		return false;
	}
	if (unit->points == NULL)
		return true;
	unit->osr_tail = !makes_room(j->f);
	if (j->tried && (!unit->osr_tail ||
			 !cofl_osr_points_count(unit->points))) {
		snprintf(unit->why, sizeof(unit->why),
			 "its frames cannot go to and fro");
		return false;
	}
	if (j->plan != COF_PLAN_NONE)
		cofl_osr_sparse(unit->osr, j->choice.built,
				j->tried ? 0 : COFL_TUNE(osr_live));
	return true;
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
	cofl_insert(unit, to, &j->body, &j->counting->counters);
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

	if (!prepare(j, unit))
		return NULL;
	osr = unit->osr;
	n = osr->loops.n_loops;
	next = cofl_xcalloc(n, sizeof(LLVMValueRef));
	j->heat = heat;
	for (uint32_t k = 0; k < n; k++) {
		char name[512];

		if (!j->choice.built[k])
			continue;
		snprintf(name, sizeof(name), "%.490s.%u", j->table, k);
		j->to[k] = cofl_osr_declare(unit, j->f, name);
	}
	for (uint32_t k = 0; k < n; k++) {
		if (!j->choice.built[k])
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
	cofl_osr_point_finish(unit);
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
		if (!cofl_chords_can(j->f, why, why_bytes))
			return err;
		j->counting = cofl_counting_share(j->ir->method);
	}
	cofl_clone_init(&unit, copy, j->ir->method->name);
	if (make(j, &unit, &heat) == NULL) {
		snprintf(why, why_bytes, "%s", unit.why);
	} else {
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
		if (j->counting != NULL)
			cofl_counting_attach(j->counting, out->data);
	} else {
		cofl_counting_unshare(j->counting);
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
	if (j->plan <= COF_PLAN_AVERAGE)
		err = build_plain(j, stop, out, why, why_bytes);
	else
		err = cofl_unit_compile_around(
			j->ir, &(struct cofl_unit_around){
				.plan = j->plan, .make = make, .arg = j,
				.body = j->table,
				.n_loops = j->points->n_loops,
				.cached = !j->tried,
			}, stop, out, why, why_bytes);
	if (err == 0 && j->tried &&
	    ((struct cofl_version *)out->data)->points == NULL) {
		/* Nothing could be led out again. */
		cofl_loader_unload(j->ir->method->host, out->data);
		cof_code_free(j->ir->method->host->cof, &out->block);
		snprintf(why, why_bytes, "it has no points");
		err = -COF_E_INVAL;
	}
	if (err == 0) {
		cofl_osr_points_lead(j->points, out->entry);
		if (j->tried)
			((struct cofl_version *)out->data)->continuations =
				out->entry;
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

/* The other side of a trial has the same loops, whichever go round now. */
static bool is_known(struct job *j, const struct cofl_version *v)
{
	j->choice.peer = j->tried ? v->continuations : NULL;
	return j->choice.peer != NULL;
}

static int run_job(void *handle, void *version, enum cof_plan plan, bool tried,
		   const int *stop, struct cof_version_desc *out)
{
	struct cofl_version *v = version;
	struct job j = { .ir = handle, .plan = plan, .tried = tried,
			 .points = v->points };
	char why[256] = "";
	struct attempt a = { &j, stop, out, why, sizeof(why), 0 };
	int err = -COF_E_STATE;		/* asked again later */

	if (j.ir->method->pinned)	/* by now: native/methods.h */
		return -COF_E_INVAL;
	j.to = calloc(v->points->n_loops, sizeof(*j.to));
	if (!cofl_osr_choice_init(&j.choice, v->points) || j.to == NULL) {
		snprintf(why, sizeof(why), "out of memory");
	} else if (!is_known(&j, v) &&
		   !cofl_osr_points_listen(v->points, COFL_TUNE(osr_listen_ms),
					   stop, j.choice.arrived)) {
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
	cofl_osr_choice_free(&j.choice);
	free(j.to);
	return err;
}

int cofl_osr_run(void *ctx, void *ir, void *version, enum cof_plan plan,
		 const int *stop, struct cof_version_desc *out)
{
	(void)ctx;
	return run_job(ir, version, plan, false, stop, out);
}

int cofl_osr_try(void *ctx, void *ir, void *version, enum cof_plan plan,
		 const int *stop, struct cof_version_desc *out)
{
	(void)ctx;
	return run_job(ir, version, plan, true, stop, out);
}
