/*
 * build.h - from a method of the program to an object, to a version
 *
 * The first version of a method is the executable's code. Later versions go
 * through LLVM's optimizer again:
 *
 *	COF_PLAN_STATIC    the body alone, O1
 *	COF_PLAN_AVERAGE   the body alone, O2
 *	COF_PLAN_SPEED     with the bodies of small callees, O3
 *	COF_PLAN_PROFILE   see compile/unit_compile.h
 *
 * Functions that return an int return 0, or a cof_err and the reason in `why`.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stddef.h>

#include "cofl.h"
#include "ir/clone.h"

/* The IR of one method, gathered once: a handle of host.gather(). */
struct cofl_ir {
	struct cofl_method *method;
	struct cofl_copy   *copy;	/* the modules' */
	LLVMModuleRef       alone;	/* the body */
	LLVMModuleRef       callees;	/* with callees; NULL: not needed yet */
	uint32_t            left_alone;	/* host->left_alone before these were
					 * gathered */
};

/* NULL: the body cannot be gathered. */
struct cofl_ir *cofl_build_gather(struct cofl_method *method,
				  struct cofl_copy *copy);
void cofl_build_drop(struct cofl_ir *ir);

/* Build a version with a plan of the table above. */
int  cofl_build_plan(struct cofl_ir *ir, enum cof_plan plan, const int *stop,
		     struct cof_version_desc *out, char *why, size_t why_bytes);

/* 0, or -COF_E_STATE: *stop is set, so the version is not wanted any more. */
int  cofl_build_stopped(const int *stop, char *why, size_t why_bytes);

/* Compile a whole module. NULL: LLVM cannot; `why` has the reason. */
LLVMMemoryBufferRef cofl_build_object(struct cofl_copy *copy, int level,
				      LLVMModuleRef module, char *why,
				      size_t why_bytes);

/* Compile a module and load it as a version whose code is the symbol `body`. */
int  cofl_build_module(struct cofl *host, struct cofl_copy *copy, int level,
		       LLVMModuleRef module, const char *body,
		       enum cof_plan plan, struct cof_version_desc *out,
		       char *why, size_t why_bytes);

/* The method's body in `copy`, read and counted. NULL and why. */
LLVMValueRef cofl_build_body(struct cofl_method *method, struct cofl_copy *copy,
			     char *why, size_t why_bytes);

/* Tell reclaim what the unit's code does. */
void cofl_build_hazards(struct cofl *host, const struct cofl_clone *unit);

/* Schedule the module's code for this CPU, with the instructions that the
 * program was compiled for. */
void cofl_build_tune(LLVMContextRef context, LLVMModuleRef module);

/* Run passes over a module, with the machine of `level`. */
int  cofl_build_passes(struct cofl_copy *copy, int level, const char *passes,
		       LLVMModuleRef module, char *why, size_t why_bytes);
