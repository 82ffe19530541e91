/*
 * unit_members.h - bodies in one module: members of a group, and callees shown to it
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/annotate.h"
#include "compile/build.h"
#include "ir/clone.h"
#include "program/host.h"
#include "ir/map.h"

/* A body in the group's module. */
struct cofl_unit_member {
	struct cofl_method *method;
	LLVMValueRef        from;	/* the program's */
	LLVMValueRef        to;
	bool                member;
	uint32_t            depth;	/* calls away from a member */
	struct cofl_heat    heat;
	bool               *has;	/* of a member, by part: it is inlined */
};

struct cofl_unit_members {
	struct cofl        *host;
	struct cofl_copy   *copy;
	struct cofl_clone    unit;
	struct cofl_summary summary;
	struct cofl_unit_member   *part;
	size_t              n, room;
	struct cofl_map     index;	/* program's function -> part + 1 */
	uint32_t            shown, limit; /* instructions of callees */
	unsigned            tag;	/* metadata kind: of which part it was */
	char               *why;
	size_t              why_bytes;
};

/* Empty; what the copy of `ir` is of, and a module called `name`. */
void cofl_unit_members_init(struct cofl_unit_members *parts, struct cofl_ir *ir,
		     const char *name, char *why, size_t why_bytes);

/* Clone a method's body into the module, annotated. False: ->why. */
bool cofl_unit_members_add(struct cofl_unit_members *parts, struct cofl_method *method,
		    bool member, uint32_t depth);

/* One that is there already; not in the index. */
void cofl_unit_members_push(struct cofl_unit_members *parts, const struct cofl_unit_member *part);

/* Note in each member what it is made of by now. */
void cofl_unit_members_note(struct cofl_unit_members *parts);

/* What is still called of the callees becomes a declaration. */
void cofl_unit_members_drop_callees(struct cofl_unit_members *parts);

/* For desc.inlined. The version keeps the list as long as it lives. */
void cofl_unit_members_inlined(struct cofl_unit_members *parts, const struct cofl_unit_member *part,
			struct cof_version_desc *out);

/* With the module. */
void cofl_unit_members_free(struct cofl_unit_members *parts);
