/*
 * count.c - build an instrumented version; see count.h
 */
#include "count/count.h"

#include <stdio.h>

#include "compile/build.h"
#include "compile/profile_restore.h"
#include "count/chords.h"
#include "count/insert.h"
#include "ir/copy.h"
#include "link/loader.h"
#include "points/osr_mark.h"
#include "points/osr_point.h"
#include "profile/counter_shards.h"
#include "profile/counting.h"
#include "support/tuning.h"
#include "version_cache/counting_cache.h"

/*
 * In a large body counting keeps much alive in many blocks, and good register
 * allocation takes longer than all of the build with the profile: for SQLite's
 * interpreter, of 11,600 instructions, 1.8 s; without, 0.15 s. The code then
 * counts for a second or so at half the speed.
 */
static enum cofl_level level_of(const struct cofl_method *m)
{
	return atomic_load_explicit(&m->n_instructions, memory_order_relaxed) >
	       COFL_TUNE(instrument_fast) ? COFL_FAST : COFL_DEFAULT;
}

struct made {
	struct cofl_ir       *ir;
	struct cofl_clone     unit;
	struct cofl_body      body;
	struct cofl_counters  counters;
	uint32_t              offset;	/* of these, if they have .bytes */
	char                  name[COFL_COUNTING_NAME_BYTES];
};

/* NULL: `why` has the reason. */
static LLVMMemoryBufferRef compile(struct made *m, const int *stop, char *why,
				   size_t why_bytes)
{
	int err = 0;

	/* The file's compiler optimized the body; cof.seen is to be inlined. */
	if (m->body.outline.n_sites != 0)
		err = cofl_build_passes(m->ir->copy, COFL_DEFAULT,
					"always-inline", m->unit.module, why,
					why_bytes);
	if (err == 0)
		err = cofl_build_stopped(stop, why, why_bytes);
	if (err != 0)
		return NULL;
	return cofl_build_object(m->ir->copy, level_of(m->ir->method),
				 m->unit.module, why, why_bytes);
}

static int load(struct made *m, LLVMMemoryBufferRef object,
		struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct cofl *host = m->ir->method->host;
	struct cofl_counting *c;
	int err = cofl_loader_load(host, LLVMGetBufferStart(object),
				   LLVMGetBufferSize(object), m->name,
				   COF_PLAN_NONE, out, why, why_bytes);

	if (err != 0)
		return err;
	c = cofl_counting_new(m->ir->method, &m->body.graph, &m->body.outline,
			      m->body.kind, &m->counters, m->offset);
	m->body.kind = NULL;
	cofl_osr_point_attach(&m->unit, out);
	cofl_counting_begin(c, out->data);
	if (host->finishes)
		cofl_counting_cache_put(c, out, LLVMGetBufferStart(object),
					LLVMGetBufferSize(object),
					m->unit.moves_stack);
	return 0;
}

/* Insert counters into a clone of `f`. */
static bool insert(struct made *m, LLVMValueRef f, char *why, size_t why_bytes)
{
	struct cofl_method *method = m->ir->method;
	LLVMValueRef to;

	/* Under another name, so that a call of itself is a call site. */
	cofl_counting_name(m->name, method->name);
	cofl_profile_restore_adopt(method, m->ir->copy);
	cofl_osr_mark_prepare(&m->unit, f, true);
	to = cofl_clone_function(&m->unit, f, m->name, LLVMExternalLinkage);
	cofl_build_hazards(method->host, &m->unit);
	if (to == NULL) {
		snprintf(why, why_bytes, "%s", m->unit.why);
		return false;
	}
	cofl_body_read(&m->body, to);
	cofl_chords_find(&m->counters, &m->body);
	if (!cofl_counter_shards_alloc(m->counters.bytes, &m->offset)) {
		m->counters.bytes = 0;
		snprintf(why, why_bytes, "too much is counted already");
		return false;
	}
	cofl_insert(&m->unit, to, &m->body, &m->counters);
	cofl_osr_point_finish(&m->unit);
	return true;
}

int cofl_count_build(struct cofl_ir *ir, const int *stop,
		     struct cof_version_desc *out, char *why, size_t why_bytes)
{
	struct made m = { .ir = ir };
	LLVMValueRef f = cofl_build_body(ir->method, ir->copy, why, why_bytes);
	LLVMMemoryBufferRef object = NULL;
	int err = -COF_E_INVAL;

	if (f == NULL || !cofl_chords_can(f, why, why_bytes))
		return err;
	cofl_clone_init(&m.unit, ir->copy, ir->method->name);
	if (insert(&m, f, why, why_bytes))
		object = compile(&m, stop, why, why_bytes);
	if (object != NULL) {
		err = load(&m, object, out, why, why_bytes);
		LLVMDisposeMemoryBuffer(object);
	}
	if (m.counters.bytes != 0)
		cofl_counter_shards_free(m.offset, m.counters.bytes);
	cofl_counters_free(&m.counters);
	cofl_body_free(&m.body);
	cofl_clone_dispose(&m.unit);
	return err;
}
