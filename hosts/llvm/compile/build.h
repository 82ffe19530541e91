/*
 * build.h - from a method of the program to an object, to a version
 *
 * The first version of a method is its body alone, as it stands in the file,
 * through LLVM's fast instruction selection. Later ones go through LLVM's
 * optimizer again:
 *
 *	COF_PLAN_STATIC    the body alone, O1
 *	COF_PLAN_AVERAGE   the body alone, O2
 *	COF_PLAN_SPEED     with the bodies of small callees, O3
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stddef.h>

#include "ir/clone.h"
#include "program/host.h"

/* The IR of one method, gathered once: a handle of host.gather(). */
struct cofl_ir {
	struct cofl_method *method;
	struct cofl_copy   *copy;	/* the modules' */
	LLVMModuleRef       alone;	/* the body */
	LLVMModuleRef       callees;	/* with callees; NULL: not needed yet */
};

/* The method's first version. 0, or a cof_err and why. */
int  cofl_build_first(struct cofl_method *method, struct cof_version_desc *out,
		      char *why, size_t why_bytes);

/*
 * Add the methods that `method`, whose body is read in the host's copy, calls by
 * name to list[0..*n), those not in it so far, up to `room` of them.
 */
void cofl_build_calls(struct cofl_method *method, struct cofl_method **list,
		      size_t *n, size_t room);

/* NULL: the body cannot be gathered. */
struct cofl_ir *cofl_build_gather(struct cofl_method *method,
				  struct cofl_copy *copy);
void cofl_build_drop(struct cofl_ir *ir);

int  cofl_build_plan(struct cofl_ir *ir, enum cof_plan plan, const int *stop,
		     struct cof_version_desc *out, char *why, size_t why_bytes);

/* Compile a whole module. NULL: LLVM will not; why says so. */
LLVMMemoryBufferRef cofl_build_object(struct cofl_copy *copy, int level,
				      LLVMModuleRef module, char *why,
				      size_t why_bytes);

/* Compile a module and load it as a version of plan `plan`, body and all. */
int  cofl_build_module(struct cofl *host, struct cofl_copy *copy, int level,
		       LLVMModuleRef module, const char *body,
		       enum cof_plan plan, struct cof_version_desc *out,
		       char *why, size_t why_bytes);

/* The method's body in `copy`, read and counted. NULL and why. */
LLVMValueRef cofl_build_body(struct cofl_method *method, struct cofl_copy *copy,
			     char *why, size_t why_bytes);

/* What a unit showed that reclaim must know of. */
void cofl_build_hazards(struct cofl *host, const struct cofl_clone *unit);

/* Schedule what is in the module for this CPU, with its program's instructions. */
void cofl_build_tune(LLVMContextRef context, LLVMModuleRef module);

/* Run passes over a module, with the machine of `level`. */
int  cofl_build_passes(struct cofl_copy *copy, int level, const char *passes,
		       LLVMModuleRef module, char *why, size_t why_bytes);
