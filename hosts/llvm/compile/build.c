/*
 * build.c - see build.h
 */
#include "compile/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "compile/inline_candidates.h"
#include "ir/mixed_options.h"
#include "ir/blockaddress.h"
#include "ir/copy.h"
#include "ir/instruction.h"
#include "link/loader.h"
#include "support/recover.h"
#include "support/tuning.h"
#include "support/xcalloc.h"

/* What a plan means. program/estimate.c has its cost and gain; unit_compile.c
 * builds COF_PLAN_PROFILE. */
static const struct plan {
	const char     *passes;
	enum cofl_level level;
	bool            callees;
} plans[COF_PLAN_COUNT] = {
	[COF_PLAN_STATIC]  = { "default<O1>", COFL_LESS,    false },
	[COF_PLAN_AVERAGE] = { "default<O2>", COFL_DEFAULT, false },
	[COF_PLAN_SPEED]   = { "default<O3>", COFL_BEST,    true },
};

LLVMValueRef cofl_build_body(struct cofl_method *m, struct cofl_copy *copy,
			     char *why, size_t why_bytes)
{
	LLVMValueRef f = copy->function[m->number];

	if (!cofl_copy_body(copy, m->number)) {
		snprintf(why, why_bytes, "%s", copy->error);
		return NULL;
	}
	if (atomic_load_explicit(&m->n_instructions,
				 memory_order_relaxed) == 0) {
		atomic_store_explicit(&m->keeps_blockaddresses,
				      cofl_blockaddress_escapes(f),
				      memory_order_relaxed);
		atomic_store_explicit(&m->n_instructions,
				      cofl_instruction_count(f),
				      memory_order_relaxed);
	}
	return f;
}

void cofl_build_hazards(struct cofl *host, const struct cofl_clone *unit)
{
	if (unit->moves_stack)
		cof_reclaim_disable(host->cof,
				    "the program's inline assembly "
				    "uses the stack pointer");
}

int cofl_build_stopped(const int *stop, char *why, size_t why_bytes)
{
	if (!__atomic_load_n(stop, __ATOMIC_RELAXED))
		return 0;
	snprintf(why, why_bytes, "not wanted any more");
	return -COF_E_STATE;
}

/* LLVM appends the size of the parameters to the names of functions that take
 * them in vector registers, unless told to take a name as it is. */
static void keep_names(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
	     f = LLVMGetNextFunction(f)) {
		size_t n;
		const char *name = LLVMGetValueName2(f, &n);
		char *as_it_is;

		if (LLVMGetFunctionCallConv(f) != LLVMX86VectorCallCallConv ||
		    *name == 1)
			continue;
		as_it_is = cofl_xcalloc(n + 2, 1);
		*as_it_is = 1;
		memcpy(as_it_is + 1, name, n);
		LLVMSetValueName2(f, as_it_is, n + 1);
		free(as_it_is);
	}
}

struct emission {
	struct cofl_copy   *copy;
	int                 level;
	LLVMModuleRef       module;
	LLVMMemoryBufferRef object;	/* NULL: LLVM failed */
	char               *error;
};

static void emit(void *arg)
{
	struct emission *e = arg;

	if (LLVMTargetMachineEmitToMemoryBuffer(
		    cofl_copy_machine(e->copy, (enum cofl_level)e->level),
		    e->module, LLVMObjectFile, &e->error, &e->object))
		e->object = NULL;
}

LLVMMemoryBufferRef cofl_build_object(struct cofl_copy *copy, int level,
				      LLVMModuleRef module, char *why,
				      size_t why_bytes)
{
	struct emission e = { .copy = copy, .level = level, .module = module };

	keep_names(module);
	*copy->error = '\0';
	if (!cofl_copy_try(copy, emit, &e, why, why_bytes))
		return NULL;
	if (e.object == NULL) {
		snprintf(why, why_bytes, "%s",
			 e.error ? e.error : "LLVM failed");
		LLVMDisposeMessage(e.error);
		return NULL;
	}
	if (*copy->error != '\0') {
		snprintf(why, why_bytes, "%s", copy->error);
		LLVMDisposeMemoryBuffer(e.object);
		return NULL;
	}
	return e.object;
}

int cofl_build_module(struct cofl *host, struct cofl_copy *copy, int level,
		      LLVMModuleRef module, const char *body,
		      enum cof_plan plan, struct cof_version_desc *out,
		      char *why, size_t why_bytes)
{
	LLVMMemoryBufferRef object = cofl_build_object(copy, level, module, why,
						       why_bytes);
	int err;

	if (object == NULL)
		return -COF_E_INVAL;
	err = cofl_loader_load(host, LLVMGetBufferStart(object),
			       LLVMGetBufferSize(object), body, plan, out, why,
			       why_bytes);
	LLVMDisposeMemoryBuffer(object);
	return err;
}

/* -- Gathering ------------------------------------------------------------- */

struct gathering {
	struct cofl_clone unit;
	struct cofl_map  seen;
	uint32_t         n;	/* instructions of callees so far */
};

/* Could it be inlined, and is it small enough to try? Reads its body. */
static bool worth_showing(struct gathering *g, struct cofl *host,
			  LLVMValueRef callee, int64_t number)
{
	uint32_t n;

	if (!cofl_inline_candidates_may(g->unit.copy, &host->method[number]))
		return false;
	n = cofl_instruction_count(callee);
	if (n > COFL_TUNE(inline_static) ||
	    g->n + n > COFL_TUNE(inline_static_all))
		return false;
	g->n += n;
	return true;
}

static bool add_callees(struct gathering *g, struct cofl *host, LLVMValueRef f,
			int depth)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b)) {
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i)) {
			LLVMValueRef callee;
			int64_t number;

			if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
				continue;
			callee = LLVMGetCalledValue(i);
			number = cofl_copy_number(g->unit.copy, callee);
			if (number < 0 || cofl_map_get(&g->seen, callee))
				continue;
			cofl_map_put(&g->seen, callee, callee);
			if (!worth_showing(g, host, callee, number))
				continue;
			if (cofl_clone_function(&g->unit, callee, NULL,
					LLVMAvailableExternallyLinkage) == NULL)
				return false;
			if (depth > 1 &&
			    !add_callees(g, host, callee, depth - 1))
				return false;
		}
	}
	return true;
}

static LLVMModuleRef gather(struct cofl_method *m, struct cofl_copy *copy,
			    bool callees)
{
	struct gathering g = { 0 };
	char why[256];
	LLVMValueRef f = cofl_build_body(m, copy, why, sizeof(why));
	LLVMModuleRef module = NULL;

	if (f == NULL)
		return NULL;
	cofl_clone_init(&g.unit, copy, m->name);
	g.unit.with_constants = true;
	cofl_map_put(&g.seen, f, f);
	if (cofl_clone_function(&g.unit, f, NULL, LLVMExternalLinkage) &&
	    (!callees ||
	     add_callees(&g, m->host, f, COFL_TUNE(inline_static_depth))))
		module = cofl_clone_take(&g.unit);
	if (module != NULL && callees)
		cofl_mixed_options_agree(module);
	cofl_build_hazards(m->host, &g.unit);
	cofl_clone_dispose(&g.unit);
	cofl_map_free(&g.seen);
	return module;
}

struct cofl_ir *cofl_build_gather(struct cofl_method *m, struct cofl_copy *copy)
{
	struct cofl_ir *ir;
	LLVMModuleRef alone;
	char why[256];

	/* Only with its body it is known whether it keeps addresses. */
	if (m->pinned ||
	    cofl_build_body(m, copy, why, sizeof(why)) == NULL ||
	    atomic_load_explicit(&m->keeps_blockaddresses,
				 memory_order_relaxed) ||
	    (alone = gather(m, copy, false)) == NULL)
		return NULL;
	ir = cofl_xcalloc(1, sizeof(*ir));
	*ir = (struct cofl_ir){ .method = m, .copy = copy, .alone = alone };
	return ir;
}

void cofl_build_drop(struct cofl_ir *ir)
{
	cofl_copy_drop(ir->copy, ir->alone);
	if (ir->callees != NULL)
		cofl_copy_drop(ir->copy, ir->callees);
	free(ir);
}

/* -- Plans ----------------------------------------------------------------- */

/* Other instructions (fused multiply-add, wider vectors in calls) would change
 * results and calling conventions. */
void cofl_build_tune(LLVMContextRef context, LLVMModuleRef module)
{
	char *cpu = LLVMGetHostCPUName();
	LLVMAttributeRef a = LLVMCreateStringAttribute(
		context, "tune-cpu", 8, cpu, (unsigned)strlen(cpu));

	for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL;
	     f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex,
						a);
	LLVMDisposeMessage(cpu);
}

struct passing {
	struct cofl_copy *copy;
	int               level;
	const char       *passes;
	LLVMModuleRef     module;
	LLVMErrorRef      error;
};

static void run_passes(void *arg)
{
	struct passing *p = arg;
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	bool all = p->level != COFL_LESS;

	LLVMPassBuilderOptionsSetLoopVectorization(options, all);
	LLVMPassBuilderOptionsSetSLPVectorization(options, all);
	LLVMPassBuilderOptionsSetLoopUnrolling(options, all);
	LLVMPassBuilderOptionsSetLoopInterleaving(options, all);
	p->error = LLVMRunPasses(p->module, p->passes,
				 cofl_copy_machine(p->copy,
						   (enum cofl_level)p->level),
				 options);
	LLVMDisposePassBuilderOptions(options);
}

int cofl_build_passes(struct cofl_copy *copy, int level, const char *passes,
		      LLVMModuleRef module, char *why, size_t why_bytes)
{
	struct passing p = { copy, level, passes, module, NULL };
	char *text;

	if (!cofl_copy_try(copy, run_passes, &p, why, why_bytes))
		return -COF_E_INVAL;
	if (p.error == NULL)
		return 0;
	text = LLVMGetErrorMessage(p.error);
	snprintf(why, why_bytes, "%s", text);
	LLVMDisposeErrorMessage(text);
	return -COF_E_INVAL;
}

static uint32_t left_alone(const struct cofl_ir *ir)
{
	return atomic_load_explicit(&ir->method->host->left_alone,
				    memory_order_acquire);
}

/* Again, if a callee may be left alone since. */
static void gather_callees(struct cofl_ir *ir)
{
	uint32_t now = left_alone(ir);

	if (ir->callees != NULL && ir->left_alone != now) {
		cofl_copy_drop(ir->copy, ir->callees);
		ir->callees = NULL;
	}
	ir->left_alone = now;
	if (ir->callees == NULL)
		ir->callees = gather(ir->method, ir->copy, true);
}

int cofl_build_plan(struct cofl_ir *ir, enum cof_plan plan, const int *stop,
		    struct cof_version_desc *out, char *why, size_t why_bytes)
{
	const struct plan *p = &plans[plan];
	LLVMModuleRef module = ir->alone;
	int err;

	if (p->callees) {
		gather_callees(ir);
		if (ir->callees != NULL)
			module = ir->callees;
	}
	module = LLVMCloneModule(module);
	cofl_build_tune(ir->copy->context, module);
	err = cofl_build_passes(ir->copy, p->level, p->passes, module, why,
				why_bytes);
	if (err == 0)
		err = cofl_build_stopped(stop, why, why_bytes);
	if (err == 0)
		err = cofl_build_module(ir->method->host, ir->copy, p->level,
					module, ir->method->name, plan, out,
					why, why_bytes);
	cofl_copy_drop(ir->copy, module);
	if (err == 0 && p->callees && ir->left_alone != left_alone(ir)) {
		cofl_loader_unload(ir->method->host, out->data);
		cof_code_free(ir->method->host->cof, &out->block);
		*out = (struct cof_version_desc){ .size = sizeof(*out) };
		snprintf(why, why_bytes, "a callee is left alone by now");
		err = -COF_E_STATE;
	}
	return err;
}
