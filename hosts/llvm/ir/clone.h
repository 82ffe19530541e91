/*
 * clone.h - copy functions and globals from a program's module into a unit
 *
 * A unit is a small module of the same LLVM context that is compiled on its own.
 * What it mentions is declared in it under the program's name, so that the
 * loader finds one address for it; what it defines is cloned, body and all. Not
 * by LLVM's CloneFunctionInto(), whose map costs as much as the cloning.
 *
 * Thread: whoever holds the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "ir/map.h"

struct cofl_copy;
struct cofl_osr_entries;
struct cofl_osr_points;
struct cofl_clone;

/* What goes along with a unit (points/osr_mark.h). */
struct cofl_clone_hooks {
	/* `to` is a clone of `f` now; unit->values says of what each value is. */
	void (*cloned)(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to);
	/* The unit ends, or its module is taken. */
	void (*end)(struct cofl_clone *unit);
};

struct cofl_clone {
	struct cofl_copy *copy;
	LLVMModuleRef     module;	/* the unit's own; freed by dispose */
	struct cofl_map   constants;	/* program's constant -> the unit's */
	bool              with_constants; /* give constant globals their values,
					 * for the optimizer to fold */
	bool              defines_tables; /* variable tables of a body's labels
					 * are defined with the body */
	bool              of_unit;	/* what is cloned is of another unit,
					 * after passes: what that keeps to
					 * itself is defined here as well */
	LLVMValueRef     *local;	/* such functions, declared, to be
					 * defined; freed by take */
	size_t            n_local, room_local;
	bool              moves_stack;	/* saw inline asm that names the stack
					 * pointer */
	char              why[128];	/* of the first failure, or empty */

	const struct cofl_clone_hooks *hooks;	/* NULL: none */

	/* points/osr_mark.h: clones of this function get marks; NULL: of none. */
	LLVMValueRef        osr_of;
	struct cofl_osr_entries  *osr;	/* ours */
	struct cofl_osr_points *points;	/* what marks become; ours until attached */
	LLVMValueRef        words;	/* of an image: stands for the words of
					 * all its methods, these so far: */
	uint32_t            n_words;
	uint32_t           *bases;	/* freed by take */

	/* While a body is cloned. */
	struct cofl_map  *values;	/* of the function being cloned */
	LLVMValueRef      from, to;
};

/* An empty unit named `name`. */
void cofl_clone_init(struct cofl_clone *unit, struct cofl_copy *copy,
		    const char *name);
/* Keep the module, free the rest. */
LLVMModuleRef cofl_clone_take(struct cofl_clone *unit);
void cofl_clone_dispose(struct cofl_clone *unit);

/*
 * Clone function `f` (its body must be read: cofl_copy_body()) as `name`, or as
 * its own name if NULL: then calls of itself reach the clone. NULL and why: the
 * unit is of no use any more.
 */
LLVMValueRef cofl_clone_function(struct cofl_clone *unit, LLVMValueRef f,
				const char *name, LLVMLinkage linkage);

/* The same into `to`, which is declared: parameters of `params`, a function of
 * f's type, stand for f's. */
void cofl_clone_body(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to,
		    LLVMValueRef params);

/* Define the functions in unit->local, and those that these need. */
bool cofl_clone_locals(struct cofl_clone *unit);

/* Define global variable `g` with its value. */
LLVMValueRef cofl_clone_global(struct cofl_clone *unit, LLVMValueRef g);

/* Declare function `f` as `name`; NULL: as its own name, once. */
LLVMValueRef cofl_clone_declare(struct cofl_clone *unit, LLVMValueRef f,
			       const char *name);

/* The unit's counterpart of a constant, a function or a global: declared. */
LLVMValueRef cofl_clone_constant(struct cofl_clone *unit, LLVMValueRef c);

/* Of the unit's context: the type of pointers, and a 32-bit number. */
LLVMTypeRef  cofl_clone_pointer(const struct cofl_clone *unit);
LLVMValueRef cofl_clone_i32(const struct cofl_clone *unit, uint32_t v);

/* Does this constant mention the address of a label? */
bool cofl_clone_has_blockaddress(LLVMValueRef c);

/* The function whose label `c` mentions first; NULL: none. */
LLVMValueRef cofl_clone_blockaddress_owner(LLVMValueRef c);

/* Larger globals than this are reached through the GOT, whatever their place. */
#define COFL_FAR_BYTES ((unsigned long long)64 << 20)
