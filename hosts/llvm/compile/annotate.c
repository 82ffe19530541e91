/*
 * annotate.c - see annotate.h
 */
#include "compile/annotate.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ir/llvm_shim.h"
#include "profile/method_profile.h"
#include "support/recover.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

static LLVMMetadataRef text(LLVMContextRef context, const char *s)
{
	return LLVMMDStringInContext2(context, s, strlen(s));
}

static LLVMMetadataRef number(LLVMTypeRef type, uint64_t v)
{
	return LLVMValueAsMetadata(LLVMConstInt(type, v, 0));
}

static uint64_t per_time(uint64_t count, uint64_t ns)
{
	double v = (double)count * (COFL_PER_NS / (double)(ns ? ns : 1));

	/* What ran at all is not 0. */
	if (v < 1)
		return count != 0;
	return v < 9e18 ? (uint64_t)v : (uint64_t)9e18;
}

/* -- Summary --------------------------------------------------------------- */

/* In millionths of the sum, as in LLVM's ProfileSummaryBuilder. */
static const uint32_t cutoffs[] = {
	10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000,
	900000, 950000, 990000, 999000, 999900, 999990, 999999,
};
#define CUTOFFS (sizeof(cutoffs) / sizeof(*cutoffs))

static int largest_first(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

/* The least of the n largest counts that make up `millionths` of the sum. */
static uint64_t cut(const struct cofl_summary *s, double all,
		    uint32_t millionths, uint32_t *n)
{
	double want = all * millionths / 1e6, sum = 0;

	for (*n = 0; *n < s->n && (sum < want || *n == 0); ++*n)
		sum += (double)s->count[*n];
	return *n ? s->count[*n - 1] : 0;
}

static double sum_of(const struct cofl_summary *s)
{
	double sum = 0;

	for (uint32_t i = 0; i < s->n; i++)
		sum += (double)s->count[i];
	return sum;
}

struct summary_job {
	struct cofl_summary *summary;
	const struct cofl   *host;
};

/* Under the profile lock. */
static void read_counts(void *arg)
{
	struct cofl_summary *s = ((struct summary_job *)arg)->summary;
	const struct cofl *host = ((struct summary_job *)arg)->host;
	uint32_t n = 0;

	for (uint32_t i = 0; i < host->n_methods; i++)
		if (host->method[i].profile != NULL)
			n += host->method[i].profile->outline.n_edges;
	s->count = cofl_xcalloc(n, sizeof(*s->count));
	for (uint32_t i = 0; i < host->n_methods; i++) {
		const struct cofl_profile *p = host->method[i].profile;
		uint64_t *count = &s->count[s->n];

		if (p == NULL)
			continue;
		s->n_methods++;
		s->n += p->outline.n_edges;
		for (uint32_t e = 0; e < p->outline.n_edges; e++)
			count[e] = per_time(p->edge[e], p->ns);
		if (count[0] > s->max_entry)
			s->max_entry = count[0];
	}
}

void cofl_annotate_summary_make(struct cofl_summary *s, struct cofl *host)
{
	struct summary_job job = { s, host };
	char why[64];
	uint32_t n;

	*s = (struct cofl_summary){ 0 };
	if (!cofl_recover_locked(&host->profile_lock, read_counts, &job, why,
				 sizeof(why)))
		cofl_recover_leave(why);
	qsort(s->count, s->n, sizeof(*s->count), largest_first);
	s->hot = cut(s, sum_of(s), COFL_TUNE(profile_hot_cutoff), &n);
	if (s->hot == 0)
		s->hot = 1;
}

void cofl_annotate_summary_free(struct cofl_summary *s)
{
	free(s->count);
	*s = (struct cofl_summary){ 0 };
}

/* The layout of llvm::ProfileSummary::getMD(). */
void cofl_annotate_summary_add(const struct cofl_summary *s,
			       LLVMModuleRef module)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef i64 = LLVMInt64TypeInContext(c);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
	double all = sum_of(s);
	uint64_t max = s->n ? s->count[0] : 0;
	const struct { const char *name; uint64_t value; } fields[] = {
		{ "TotalCount", all < 9e18 ? (uint64_t)all : (uint64_t)9e18 },
		{ "MaxCount", max },
		{ "MaxInternalCount", max },
		{ "MaxFunctionCount", s->max_entry },
		{ "NumCounts", s->n },
		{ "NumFunctions", s->n_methods },
	};
	LLVMMetadataRef top[8], pair[2], entry[CUTOFFS], of[3];

	pair[0] = text(c, "ProfileFormat");
	pair[1] = text(c, "InstrProf");
	top[0] = LLVMMDNodeInContext2(c, pair, 2);
	for (size_t i = 0; i < 6; i++) {
		pair[0] = text(c, fields[i].name);
		pair[1] = number(i64, fields[i].value);
		top[i + 1] = LLVMMDNodeInContext2(c, pair, 2);
	}
	for (size_t i = 0; i < CUTOFFS; i++) {
		uint32_t n;

		of[0] = number(i32, cutoffs[i]);
		of[1] = number(i64, cut(s, all, cutoffs[i], &n));
		of[2] = number(i32, n);
		entry[i] = LLVMMDNodeInContext2(c, of, 3);
	}
	pair[0] = text(c, "DetailedSummary");
	pair[1] = LLVMMDNodeInContext2(c, entry, CUTOFFS);
	top[7] = LLVMMDNodeInContext2(c, pair, 2);
	LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorError, "ProfileSummary",
			  14, LLVMMDNodeInContext2(c, top, 8));
}

/* -- Functions ------------------------------------------------------------- */

void cofl_annotate_heat_free(struct cofl_heat *heat)
{
	free(heat->node);
	free(heat->site);
	*heat = (struct cofl_heat){ 0 };
}

struct annotating {
	LLVMContextRef            context;
	LLVMTypeRef               i32, i64;
	unsigned                  prof;	/* metadata kind */
	const struct cofl         *host;
	const struct cofl_body    *body;
	const struct cofl_profile *profile;
};

static void set_prof(struct annotating *a, LLVMValueRef i, LLVMMetadataRef *op,
		     size_t n)
{
	LLVMSetMetadata(i, a->prof, LLVMMetadataAsValue(
		a->context, LLVMMDNodeInContext2(a->context, op, n)));
}

/* Weights have 32 bits, and their sum should fit in 32, too. */
static void weigh_branches(struct annotating *a, uint32_t b)
{
	const struct cofl_body *body = a->body;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(body->block[b]);
	uint32_t *edge = body->edge + body->first[b];
	unsigned n = LLVMGetNumSuccessors(end);
	LLVMMetadataRef *op;
	uint64_t max = 0, *w, divisor;

	switch (LLVMGetInstructionOpcode(end)) {
	case LLVMBr:
	case LLVMSwitch:
	case LLVMIndirectBr:
	case LLVMInvoke:
		break;
	default:
		return;
	}
	if (n < 2)
		return;
	w = cofl_xcalloc(n, sizeof(*w));
	op = cofl_xcalloc(n + 1, sizeof(LLVMMetadataRef));
	for (unsigned k = 0; k < n; k++) {
		unsigned same = 0;

		for (unsigned j = 0; j < n; j++)
			same += edge[j] == edge[k];
		w[k] = a->profile->edge[edge[k]] / same;
		max = w[k] > max ? w[k] : max;
	}
	divisor = max / (UINT32_MAX / n) + 1;
	op[0] = text(a->context, "branch_weights");
	for (unsigned k = 0; k < n; k++)
		op[k + 1] = number(a->i32, w[k] / divisor +
					   (w[k] != 0 && w[k] < divisor));
	if (max != 0)
		set_prof(a, end, op, n + 1);
	free(w);
	free(op);
}

enum { VP_CALL_TARGET = 0, VP_COPY_SIZE = 1 };	/* InstrProfValueKind */

/* The site's values, the most frequent first, and how often it ran: per time,
 * as LLVM compares the latter with the summary, and promotes only what is hot
 * by it. */
static void set_values(struct annotating *a, uint32_t k, uint64_t ran)
{
	const struct cofl_top *top = &a->profile->site[k];
	uint64_t ns = a->profile->ns;
	bool call = a->body->kind[k] == COFL_SITE_CALL;
	LLVMMetadataRef op[3 + 2 * COFL_TOP];
	uint64_t sum = 0;
	size_t n = 3;

	for (uint32_t j = 0; j < COFL_TOP; j++) {
		uint64_t v = top->seen[j].value;

		if (top->seen[j].count == 0)
			continue;
		sum += top->seen[j].count;
		if (call && v >= a->host->n_methods)
			continue;
		if (call)
			v = cofl_llvm_shim_guid(a->host->method[v].name);
		op[n++] = number(a->i64, v);
		op[n++] = number(a->i64, per_time(top->seen[j].count, ns));
	}
	if (n == 3)
		return;
	op[0] = text(a->context, "VP");
	op[1] = number(a->i32, call ? VP_CALL_TARGET : VP_COPY_SIZE);
	op[2] = number(a->i64, per_time(ran > sum ? ran : sum, ns));
	set_prof(a, a->body->site[k], op, n);
}

static void annotate_sites(struct annotating *a, const uint64_t *node)
{
	const struct cofl_body *body = a->body;

	for (uint32_t k = 0, b = 0; k < body->outline.n_sites; k++) {
		LLVMBasicBlockRef in = LLVMGetInstructionParent(body->site[k]);

		while (body->block[b] != in)	/* sites are in this order */
			b++;
		set_values(a, k, node[b + 1]);
	}
}

/* How often it was entered while it counted. Once, if it ran and was not: a
 * frame was in a loop all the time. */
static uint64_t entries_of(const struct cofl_profile *p)
{
	return p->edge[0] != 0 ? per_time(p->edge[0], p->ns) :
	       cofl_profile_total(p) != 0;
}

void cofl_annotate_entries(LLVMValueRef f, uint64_t entries)
{
	LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
	LLVMMetadataRef op[2] = { text(c, "function_entry_count"),
				  number(LLVMInt64TypeInContext(c), entries) };

	LLVMGlobalSetMetadata(f, LLVMGetMDKindIDInContext(c, "prof", 4),
			      LLVMMDNodeInContext2(c, op, 2));
}

/* Under the profiles' lock. */
static bool annotate(struct annotating *a, LLVMValueRef f,
		     struct cofl_heat *heat)
{
	const struct cofl_profile *p = a->profile;
	const struct cofl_graph *g = &a->body->graph;
	uint64_t *node;

	if (p == NULL || p->outline.hash != a->body->outline.hash ||
	    p->outline.n_edges != g->n_edges ||
	    p->outline.n_sites != a->body->outline.n_sites)
		return false;
	node = cofl_xcalloc(g->n_nodes, sizeof(*node));
	cofl_graph_nodes(g, p->edge, node);
	for (uint32_t b = 0; b < a->body->n_blocks; b++)
		weigh_branches(a, b);
	annotate_sites(a, node);
	cofl_annotate_entries(f, entries_of(p));
	for (uint32_t v = 0; v < g->n_nodes; v++)
		node[v] = per_time(node[v], p->ns);
	heat->node = node;
	heat->site = cofl_xcalloc(p->outline.n_sites, sizeof(*heat->site));
	if (p->outline.n_sites != 0)
		memcpy(heat->site, p->site,
		       p->outline.n_sites * sizeof(*heat->site));
	return true;
}

struct noting {
	struct annotating *a;
	LLVMValueRef       f;
	struct cofl_heat  *heat;
	bool               done;
};

static void note_all(void *arg)
{
	struct noting *n = arg;

	n->done = annotate(n->a, n->f, n->heat);
}

bool cofl_annotate(struct cofl_method *m, LLVMValueRef f,
		   const struct cofl_body *body, struct cofl_heat *heat)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(f));
	struct annotating a = {
		.context = context, .host = m->host, .body = body,
		.i32 = LLVMInt32TypeInContext(context),
		.i64 = LLVMInt64TypeInContext(context),
		.prof = LLVMGetMDKindIDInContext(context, "prof", 4),
	};
	struct noting n = { &a, f, heat, false };
	char why[64];
	bool done;

	*heat = (struct cofl_heat){ 0 };
	pthread_mutex_lock(&m->host->profile_lock);
	a.profile = m->profile;
	/* The lock would stay locked if LLVM gave up. */
	done = cofl_recover(note_all, &n, why, sizeof(why));
	pthread_mutex_unlock(&m->host->profile_lock);
	if (!done)
		cofl_recover_leave(why);
	return done && n.done;
}
