/*
 * unit_compile.h - methods built as one unit, with their profiles
 *
 *	members, callees worth showing      one module, annotated
 *	  -> calls through pointers become calls by name where that pays
 *	  -> inliner; callees that are still called are dropped again
 *	  -> O3
 *	  -> a module, an object, a version for each member
 *
 * A call between members that was not inlined is a call site like any other:
 * libcof binds it to the callee's current version. Until there is a newer one,
 * that is the unit's own body, at the cost of a direct call. A unit keeps none
 * of its versions alive, so each is a version like any other.
 */
#pragma once

#include <stddef.h>

#include "compile/annotate.h"
#include "compile/build.h"

/*
 * As host.build_unit(), with plan PROFILE. n may be 1. Thread: the holder of
 * ir[0]->copy's lock. The other handles only name methods.
 */
int  cofl_unit_compile_build(struct cofl_ir *const *ir, size_t n,
			     const int *stop, struct cof_version_desc *out,
			     char *why, size_t why_bytes);

/*
 * Make clones in `unit` that stand for a member's body. With plan PROFILE they
 * are annotated and *heat is filled in. Returns the first; NULL: unit->why has
 * the reason.
 */
typedef LLVMValueRef cofl_unit_compile_make(void *arg, struct cofl_clone *unit,
					    struct cofl_heat *heat);

struct cofl_unit_around {
	enum cof_plan           plan;
	cofl_unit_compile_make *make;
	void                   *arg;
	const char             *body;		/* the table of continuations
						 * that it has */
	uint32_t                n_loops;	/* of the function */
	bool                    cached;		/* put into the version cache,
						 * if plan is PROFILE */
};

/*
 * Build a unit of what ->make makes, with callees as for a member. The version
 * gets the unit's points. Thread: the holder of ir->copy's lock.
 */
int  cofl_unit_compile_around(struct cofl_ir *ir,
			      const struct cofl_unit_around *around,
			      const int *stop, struct cof_version_desc *out,
			      char *why, size_t why_bytes);
