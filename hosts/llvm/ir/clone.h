/*
 * clone.h - copy functions and globals from a program's module into a unit
 *
 * A unit is a small module of the same LLVM context that is compiled on its
 * own. It declares what it mentions under the program's name, so that the
 * loader finds one address for it. It defines clones of functions. LLVM's
 * CloneFunctionInto() does not make these, since its map costs as much as the
 * cloning.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "ir/list.h"
#include "support/map.h"

struct cofl_clone;
struct cofl_copy;
struct cofl_osr_entries;
struct cofl_osr_points;

/* Set by points/osr_mark.c. */
struct cofl_clone_hooks {
	/* `to` is a clone of `f` now; unit->values maps the values of `f`. */
	void (*cloned)(struct cofl_clone *unit, LLVMValueRef f,
		       LLVMValueRef to);
	/* The unit is disposed of, or its module is taken. */
	void (*end)(struct cofl_clone *unit);
};

struct cofl_clone {
	struct cofl_copy *copy;
	LLVMModuleRef     module;	/* the unit's own; freed by dispose */
	struct cofl_map   constants;	/* program's constant -> the unit's */
	bool              with_constants; /* constant globals have values, for
					 * the optimizer to fold */
	bool              of_unit;	/* clones are of another unit, after
					 * passes; its local functions and
					 * globals are defined here as well */
	struct cofl_list  local;	/* such functions (LLVMValueRef), to be
					 * defined; freed by take */
	bool              moves_stack;	/* inline assembly names the stack
					 * pointer */
	char              why[128];	/* the first failure, or empty */

	const struct cofl_clone_hooks *hooks;	/* NULL: none */

	/* points/osr_mark.h: clones of this function have marks. */
	LLVMValueRef        osr_of;
	struct cofl_osr_entries *osr;	/* owned */
	struct cofl_osr_points *points;	/* what marks become; owned until
					 * attached */
	bool              osr_tail;	/* clones are continuations, and leave
					 * nothing on the stack when they are
					 * left */

	/* While a body is cloned. */
	struct cofl_map  *values;	/* value of `from` -> the clone's */
	LLVMValueRef      from, to;
};

/* An empty unit named `name`. */
void cofl_clone_init(struct cofl_clone *unit, struct cofl_copy *copy,
		    const char *name);
/* Free all but the module, which is the caller's then. */
LLVMModuleRef cofl_clone_take(struct cofl_clone *unit);
void cofl_clone_dispose(struct cofl_clone *unit);

/*
 * Clone function `f`, whose body cofl_copy_body() has read, as `name`. With
 * name NULL the clone has f's name, and f's calls of itself reach the clone.
 * Returns NULL and sets why on failure: the unit can only be disposed of then.
 */
LLVMValueRef cofl_clone_function(struct cofl_clone *unit, LLVMValueRef f,
				const char *name, LLVMLinkage linkage);

/* Clone f's body into the declaration `to`. Parameters of `params`, a function
 * of f's type, stand for f's. */
void cofl_clone_body(struct cofl_clone *unit, LLVMValueRef f, LLVMValueRef to,
		    LLVMValueRef params);

/* Define the functions in unit->local, and the local functions they need. */
bool cofl_clone_locals(struct cofl_clone *unit);

/* Declare function `f` as `name`; NULL: under its own name, once. */
LLVMValueRef cofl_clone_declare(struct cofl_clone *unit, LLVMValueRef f,
			       const char *name);

/* The unit's counterpart of a constant. Functions and globals are declared. */
LLVMValueRef cofl_clone_constant(struct cofl_clone *unit, LLVMValueRef c);

/* The type of pointers, and a 32-bit number, of the unit's context. */
LLVMTypeRef  cofl_clone_pointer(const struct cofl_clone *unit);
LLVMValueRef cofl_clone_i32(const struct cofl_clone *unit, uint32_t v);

/* An address in this process, for code that is in no file. */
LLVMValueRef cofl_clone_address(const struct cofl_clone *unit, const void *p);

/* Code reaches globals of this size or more through the GOT. */
#define COFL_FAR_BYTES ((unsigned long long)64 << 20)
