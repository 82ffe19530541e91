/*
 * osr.c - the job: see which loops go round, build, lead frames there
 */
#include "osr/osr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/annotate.h"
#include "ir/body.h"
#include "compile/build.h"
#include "ir/copy.h"
#include "count/count.h"
#include "compile/unit_compile.h"
#include "count/insert.h"
#include "ir/instruction.h"
#include "points/osr_mark.h"
#include "points/osr_image.h"
#include "points/osr_point.h"
#include "support/xcalloc.h"
#include "support/tuning.h"

/* An endless loop's profile says no more than this of how often it goes round
 * each time it is entered. */
#define ROUNDS      4096u

struct job {
	struct cofl_ir     *ir;
	struct cofl_osr_points *points;	/* of the version to be left */
	enum cof_plan       plan;
	LLVMValueRef        f;
	uint64_t           *arrived;	/* by loop */
	bool               *wanted;	/* lead frames from here */
	bool               *built;	/* these, and what they go on to */
	LLVMValueRef       *to;		/* continuations */

	/* While one is made. */
	uint32_t            loop;
	struct cofl_body    body;
	struct cofl_heat   *heat;	/* of the first one, for the group */
	struct cofl_counting *counting;
};

/* -- Which loops ------------------------------------------------------------ */

/* Of each nest the outermost that goes round. */
static uint32_t outermost(const struct job *j, const struct cofl_osr_entries *g,
			  uint32_t k)
{
	uint32_t found = k;

	while ((k = g->loops.loop[k].parent) != COFL_NO_LOOP)
		if (j->arrived[k] != 0 && g->gate[k].possible)
			found = k;
	return found;
}

/* Those who come by are led nowhere yet: they come before others. */
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

/* Also the loops around them, unless that is too much code. */
static void add_outer(struct job *j, const struct cofl_osr_entries *g)
{
	uint64_t n = cofl_instruction_count(j->f), all = 0;

	for (uint32_t k = 0; k < g->loops.n_loops; k++)
		for (uint32_t o = k; j->wanted[k] && o != COFL_NO_LOOP;
		     o = g->loops.loop[o].parent)
			if (!j->built[o] && (o == k || (g->gate[o].possible &&
			    all + n <= COFL_TUNE(osr_outer)))) {
				j->built[o] = true;
				all += n;
			}
}

static bool choose(struct job *j, const struct cofl_osr_entries *g)
{
	uint32_t n = g->loops.n_loops, found = 0;

	for (; found < COFL_TUNE(osr_loops); found++) {
		uint32_t best = COFL_NO_LOOP;

		for (uint32_t k = 0; k < n; k++)
			if (j->arrived[k] != 0 && g->gate[k].possible &&
			    !j->wanted[outermost(j, g, k)] &&
			    is_better(j, k, best))
				best = k;
		if (best == COFL_NO_LOOP)
			break;
		j->wanted[outermost(j, g, best)] = true;
	}
	add_outer(j, g);
	return found > 0;
}

/* -- The unit --------------------------------------------------------------- */

/* How often the loop is begun, so far as one may tell from how often it goes
 * round: never so seldom that it seems to be of no interest. */
static void set_entries(struct job *j, struct cofl_clone *unit, LLVMValueRef to,
			const struct cofl_heat *heat)
{
	uint32_t header = unit->gates->loops.loop[j->loop].header;
	LLVMContextRef c = unit->copy->context;
	LLVMMetadataRef op[2];
	uint64_t n = heat->node ? heat->node[header + 1] / ROUNDS : 0;

	op[0] = LLVMMDStringInContext2(c, "function_entry_count", 20);
	op[1] = LLVMValueAsMetadata(LLVMConstInt(LLVMInt64TypeInContext(c),
						 n ? n : 1, 0));
	LLVMGlobalSetMetadata(to, LLVMGetMDKindIDInContext(c, "prof", 4),
			      LLVMMDNodeInContext2(c, op, 2));
}

/* The clone as it is: its profile. */
static void annotate(struct job *j, struct cofl_clone *unit, LLVMValueRef to)
{
	struct cofl_heat heat = { 0 };

	cofl_body_read(&j->body, to);
	if (cofl_annotate(j->ir->method, to, &j->body, &heat))
		set_entries(j, unit, to, &heat);
	cofl_body_free(&j->body);
	if (j->heat->node == NULL)
		*j->heat = heat;
	else
		cofl_annotate_heat_free(&heat);
}

/*
 * What the file's compiler made of the body is as good as an image, and can be
 * left like one: for code that counts, say. More is for what is there to stay.
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

static void name_of(const struct job *j, uint32_t loop, char name[512])
{
	snprintf(name, 512, "%.480s.osr.%u", j->ir->method->name, loop);
}

static void table_name(const struct job *j, char name[512])
{
	snprintf(name, 512, "%.480s.osr", j->ir->method->name);
}

/* Where each continuation is, for us to read once it is loaded. */
static void add_table(struct job *j, struct cofl_clone *unit, uint32_t n)
{
	LLVMTypeRef ptr = cofl_clone_pointer(unit);
	LLVMValueRef *element = cofl_xcalloc(n, sizeof(LLVMValueRef)), table;
	char name[512];

	for (uint32_t k = 0; k < n; k++)
		element[k] = j->to[k] ? j->to[k] : LLVMConstNull(ptr);
	table_name(j, name);
	table = LLVMAddGlobal(unit->module, LLVMArrayType2(ptr, n), name);
	LLVMSetInitializer(table, LLVMConstArray2(ptr, element, n));
	LLVMSetGlobalConstant(table, 1);
	free(element);
}

/* All continuations into the unit, outer loops first; NULL: unit->why. */
static LLVMValueRef make(void *arg, struct cofl_clone *unit,
			 struct cofl_heat *heat)
{
	struct job *j = arg;
	const struct cofl_osr_entries *g;
	LLVMValueRef *next, first = NULL;
	uint32_t n;
	char name[512];

	cofl_osr_mark_prepare(unit, j->f, has_points(j->plan));
	g = unit->gates;
	if (g == NULL || g->loops.n_loops != j->points->n_loops ||
	    !choose(j, g)) {
		snprintf(unit->why, sizeof(unit->why), "no loop can be left");
		return NULL;
	}
	if (j->plan != COF_PLAN_NONE && has_points(j->plan))
		cofl_osr_image_sparse(unit, j->built);
	n = g->loops.n_loops;
	next = cofl_xcalloc(n, sizeof(LLVMValueRef));
	j->heat = heat;
	for (uint32_t k = 0; k < n; k++)
		if (j->built[k]) {
			name_of(j, k, name);
			j->to[k] = cofl_osr_declare(unit, j->f, name);
		}
	for (uint32_t k = 0; k < n; k++) {
		if (!j->built[k])
			continue;
		for (uint32_t o = 0; o < n; o++)
			next[o] = o != k && cofl_loops_inside(&g->loops, k, o) ?
				  j->to[o] : NULL;
		j->loop = k;
		cofl_osr_continue(unit, j->f, j->to[k], k, next, edit, j);
		if (first == NULL)
			first = j->to[k];
	}
	add_table(j, unit, n);
	unit->gates_of = NULL;	/* not the function as a callee of itself */
	free(next);
	return *unit->why ? NULL : first;
}

/* The body as it stands in the file, which can be left in turn; with plan NONE
 * it counts. */
static int build_plain(struct job *j, const int *stop,
		       struct cof_version_desc *out, char *why,
		       size_t why_bytes)
{
	struct cofl_copy *copy = j->ir->copy;
	struct cofl *host = j->ir->method->host;
	struct cofl_heat heat = { 0 };
	struct cofl_clone unit;
	char table[512];
	int err = -COF_E_INVAL;

	if (j->plan == COF_PLAN_NONE) {
		if (!cofl_insert_can(j->f)) {
			snprintf(why, why_bytes,
				 "the program forbids to count it");
			return err;
		}
		j->counting = cofl_count_share(j->ir->method);
	}
	table_name(j, table);
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
	if (err == 0 && __atomic_load_n(stop, __ATOMIC_RELAXED))
		err = -COF_E_STATE;
	if (err == 0)
		err = cofl_build_module(host, copy, COFL_DEFAULT, unit.module,
					table, j->plan, out, why, why_bytes);
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

/* -- All of it -------------------------------------------------------------- */

/*
 * Frames go from now on. The release pairs with the acquire of add_point(): who
 * sees the continuation sees its code.
 */
static void lead(struct job *j, struct cof_version_desc *out)
{
	void *const *entry = out->entry;

	for (uint32_t k = 0; k < j->points->n_loops; k++) {
		j->wanted[k] |= j->built[k];
		if (j->wanted[k])
			atomic_store_explicit(&j->points->word[k].go, entry[k],
					      memory_order_release);
	}
	cofl_osr_points_arm(j->points, j->wanted, true);
	out->entry = out->start;
}

static int run(struct job *j, const int *stop, struct cof_version_desc *out,
	       char *why, size_t why_bytes)
{
	char table[512];
	int err;

	j->f = cofl_build_body(j->ir->method, j->ir->copy, why, why_bytes);
	if (j->f == NULL)
		return -COF_E_INVAL;
	table_name(j, table);
	if (has_points(j->plan))
		err = build_plain(j, stop, out, why, why_bytes);
	else
		err = cofl_unit_compile_around(j->ir, j->plan, make, j, table, stop,
					out, why, why_bytes);
	if (err == 0)
		lead(j, out);
	return err;
}

/* NULL: it has none. For good, as the image. */
static struct cofl_osr_points *points_of_image(const struct cofl_piece *piece,
					   uint32_t number)
{
	const uint32_t *base = piece->bases;
	struct cofl_osr_points *p;

	if (piece->records == NULL || base[number] == base[number + 1])
		return NULL;
	p = cofl_osr_points_new(base[number + 1] - base[number],
			    piece->words + base[number]);
	if (cofl_osr_points_place(p, &piece->text, piece->records,
			      piece->record_bytes, base[number]))
		return p;
	cofl_osr_points_free(p);
	return NULL;
}

/* Who is at a point that was armed goes on; the next one is led nowhere. */
static int stay(struct cofl_osr_points *points)
{
	bool *all = cofl_xcalloc(points->n_loops, sizeof(bool));

	for (uint32_t k = 0; k < points->n_loops; k++) {
		all[k] = true;
		atomic_store_explicit(&points->word[k].go, NULL,
				      memory_order_relaxed);
	}
	cofl_osr_points_arm(points, all, false);
	free(all);
	return 0;
}

int cofl_osr_run(void *ctx, void *handle, void *version, enum cof_plan plan,
		 const int *stop, struct cof_version_desc *out)
{
	struct cofl_version *v = version;
	struct job j = { .ir = handle, .plan = plan };
	char why[256] = "", line[512];
	int err = -COF_E_STATE;
	uint32_t n;

	(void)ctx;
	if (out != NULL && v != NULL && v->of_image && v->points == NULL)
		v->points = points_of_image(v->of_image, j.ir->method->number);
	if (v == NULL || v->points == NULL)
		return -COF_E_INVAL;
	if (out == NULL)
		return stay(v->points);
	j.points = v->points;
	n = v->points->n_loops;
	j.arrived = cofl_xcalloc(n, sizeof(*j.arrived));
	j.wanted = cofl_xcalloc(n, sizeof(*j.wanted));
	j.built = cofl_xcalloc(n, sizeof(*j.built));
	j.to = cofl_xcalloc(n, sizeof(*j.to));
	if (!cofl_osr_points_listen(v->points, COFL_TUNE(osr_listen_ms), stop,
				j.arrived)) {
		snprintf(why, sizeof(why), "no loop goes round");
	} else {
		pthread_mutex_lock(&j.ir->copy->lock);
		err = run(&j, stop, out, why, sizeof(why));
		pthread_mutex_unlock(&j.ir->copy->lock);
	}
	if (err != 0) {
		snprintf(line, sizeof(line), "LLVM: OSR: %s: %s",
			 cof_method_name(j.ir->method->method), why);
		cof_log_line(j.ir->method->host->cof, line);
	}
	free(j.arrived);
	free(j.wanted);
	free(j.built);
	free(j.to);
	return err;
}
