/*
 * unit_members.h - a unit's bodies: its members, and callees shown to them
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cofl.h"
#include "compile/annotate.h"
#include "ir/clone.h"
#include "support/map.h"

struct cofl_ir;

struct cofl_unit_body {
	struct cofl_method *method;
	LLVMValueRef        from;	/* the program's */
	LLVMValueRef        to;
	uint32_t            depth;	/* calls away from a member; 0: it is
					 * a member */
	struct cofl_heat    heat;
	bool               *has;	/* of a member, by body: it has some
					 * of its code */
};

struct cofl_unit_members {
	struct cofl           *host;
	struct cofl_copy      *copy;
	struct cofl_clone      unit;
	struct cofl_summary    summary;
	struct cofl_unit_body *body;
	size_t                 n, room;
	struct cofl_map        index;	/* program's function -> body + 1 */
	uint32_t               shown, limit; /* instructions of callees */
	unsigned               tag;	/* metadata kind: the body that an
					 * instruction came from */
	char                  *why;
	size_t                 why_bytes;
};

/* No bodies, and an empty module `name` of ir's copy. */
void cofl_unit_members_init(struct cofl_unit_members *g, struct cofl_ir *ir,
			    const char *name, char *why, size_t why_bytes);

/* Clone a method's body into the module, annotated. False: ->why. */
bool cofl_unit_members_add(struct cofl_unit_members *g,
			   struct cofl_method *method, uint32_t depth);

/* Add a body that is in the module already, but not to the index. */
void cofl_unit_members_push(struct cofl_unit_members *g,
			    const struct cofl_unit_body *body);

/* Note in each member which bodies it has code of by now. */
void cofl_unit_members_note(struct cofl_unit_members *g);

/* Turn callees that are still called into declarations. */
void cofl_unit_members_drop_callees(struct cofl_unit_members *g);

/* Set desc.inlined. The version keeps the list as long as it lives. */
void cofl_unit_members_inlined(struct cofl_unit_members *g,
			       const struct cofl_unit_body *body,
			       struct cof_version_desc *out);

/* Free all, with the module. */
void cofl_unit_members_free(struct cofl_unit_members *g);
