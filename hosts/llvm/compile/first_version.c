/*
 * first_version.c - see first_version.h
 */
#include "compile/first_version.h"

#include <stdio.h>

#include "compile/build.h"
#include "compile/fastisel_prepare.h"
#include "ir/copy.h"
#include "points/osr_image.h"
#include "points/osr_mark.h"
#include "points/osr_point.h"

/* Quickly, with points; or, not `quick`, as the program's compiler did. */
static int build_first(struct cofl_method *m, LLVMValueRef f, bool quick,
		       struct cof_version_desc *out, char *why,
		       size_t why_bytes)
{
	struct cofl *host = m->host;
	struct cofl_copy *copy = host->copy;
	LLVMValueRef to;
	struct cofl_clone unit;
	char body[512];
	int err = -COF_E_INVAL;

	/* Under another name, so that a call of itself is a call site. */
	snprintf(body, sizeof(body), "%.500s.first", m->name);
	cofl_clone_init(&unit, copy, m->name);
	if (quick) {
		cofl_osr_mark_prepare(&unit, f, true);
		cofl_osr_image_affordable(&unit);
	}
	to = cofl_clone_function(&unit, f, body, LLVMExternalLinkage);
	if (to == NULL) {
		snprintf(why, why_bytes, "%s", unit.why);
	} else {
		if (quick) {
			cofl_osr_point_finish(&unit);
			cofl_fastisel_prepare(&unit, to);
		}
		err = cofl_build_module(host, copy,
					quick ? COFL_FAST : COFL_DEFAULT,
					unit.module, body, COF_PLAN_NONE, out,
					why, why_bytes);
	}
	if (err == 0)
		cofl_osr_point_attach(&unit, out);
	cofl_build_hazards(host, &unit);
	cofl_clone_dispose(&unit);
	return err;
}

/* LLVM's fast instruction selection would restore the result's register. */
static bool keeps_all_registers(LLVMValueRef f)
{
	static const char name[] = "no_caller_saved_registers";

	return LLVMGetStringAttributeAtIndex(f, LLVMAttributeFunctionIndex,
					     name, sizeof(name) - 1) != NULL;
}

int cofl_first_version_build(struct cofl_method *m,
			     struct cof_version_desc *out, char *why,
			     size_t why_bytes)
{
	LLVMValueRef f = cofl_build_body(m, m->host->copy, why, why_bytes);
	int err;

	if (f == NULL)
		return -COF_E_INVAL;
	err = keeps_all_registers(f) ? -COF_E_INVAL :
	      build_first(m, f, true, out, why, why_bytes);
	if (err != -COF_E_INVAL)
		return err;
	if (!cofl_copy_mend(m->host->copy, m->host->bitcode, why, why_bytes) ||
	    (f = cofl_build_body(m, m->host->copy, why, why_bytes)) == NULL)
		return -COF_E_INVAL;
	return build_first(m, f, false, out, why, why_bytes);
}

static void add_call(struct cofl *host, LLVMValueRef call,
		     struct cofl_method **list, size_t *n, size_t room)
{
	int64_t number = cofl_copy_number(host->copy, LLVMGetCalledValue(call));
	struct cofl_method *callee;

	if (number < 0)
		return;
	callee = &host->method[number];
	for (size_t i = 0; i < *n; i++)
		if (list[i] == callee)
			return;
	if (*n < room)
		list[(*n)++] = callee;
}

void cofl_first_version_calls(struct cofl_method *method,
			      struct cofl_method **list, size_t *n,
			      size_t room)
{
	struct cofl *host = method->host;
	LLVMValueRef f = host->copy->function[method->number];

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b != NULL;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i != NULL;
		     i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
				add_call(host, i, list, n, room);
}
