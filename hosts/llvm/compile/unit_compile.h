/*
 * unit_compile.h - methods built as one unit, with their profiles
 *
 *	members, callees worth showing      one module, annotated
 *	  -> calls through pointers become calls by name where that pays
 *	  -> inliner; callees that are still called are dropped again
 *	  -> O3
 *	  -> a module, an object, a version for each member
 *
 * A call from one member to another that was not inlined is a call site like any
 * other: libcof binds it to the callee's current version. That is the group's
 * body as long as nothing newer came, at the cost of a direct call, and no body
 * is kept alive by its group. So a version of a group is like any other one.
 */
#pragma once

#include <stddef.h>

#include "compile/annotate.h"
#include "compile/build.h"
#include "program/host.h"

/*
 * As host.build_group(), with plan PROFILE. n may be 1. Thread: the holder of
 * ir[0]->copy's lock; the other handles only name methods.
 */
int  cofl_unit_compile_build(struct cofl_ir *const *ir, size_t n, const int *stop,
		      struct cof_version_desc *out, char *why,
		      size_t why_bytes);

/*
 * What takes the place of a member's body: clones of it, in `unit`, annotated if
 * the plan is PROFILE; then *heat is filled in. Returns the first, or NULL and
 * unit->why.
 */
typedef LLVMValueRef cofl_unit_compile_make(void *arg, struct cofl_clone *unit,
				     struct cofl_heat *heat);

/*
 * A group of one, of what `make` makes, with callees as for a member. `body` as
 * for cofl_build_module(). Thread: the holder of ir->copy's lock.
 */
int  cofl_unit_compile_around(struct cofl_ir *ir, enum cof_plan plan,
		       cofl_unit_compile_make *make, void *arg, const char *body,
		       const int *stop, struct cof_version_desc *out,
		       char *why, size_t why_bytes);
