/*
 * osr_continue.h - a continuation while it is made; of osr_continue.c,
 * osr_demote.c and osr_variable.c
 */
#pragma once

#include "osr/osr.h"
#include "points/osr_mark.h"

struct cofl_continuing {
	struct cofl_clone *unit;
	LLVMBuilderRef    builder;
	LLVMContextRef    context;
	LLVMTypeRef       ptr;
	LLVMValueRef      to;
	const struct cofl_loop *loop;
	const struct cofl_osr_entry *gate;
	LLVMBasicBlockRef entry;
	LLVMBasicBlockRef last;		/* entry, or what follows it */
	LLVMValueRef     *live;		/* in the clone */
	LLVMValueRef     *loaded;
	bool             *moved;	/* a variable that is given a new place */
	LLVMValueRef      buffer;	/* for the next one; NULL: none so far */
	struct cofl_map   reached;	/* blocks, from the rest of the header */
};

static inline LLVMBasicBlockRef cofl_osr_block(struct cofl_continuing *c)
{
	return LLVMAppendBasicBlockInContext(c->context, c->to, "");
}

/* -- Values with two definitions -------------------------------------------- */

/* From the rest of the header. */
void cofl_osr_note_reached(struct cofl_continuing *c, LLVMBasicBlockRef rest);

/* Is the instruction? */
bool cofl_osr_reached(const struct cofl_continuing *c, LLVMValueRef i);

/* Keep live value `i` in a variable. */
void cofl_osr_demote(struct cofl_continuing *c, uint32_t i);

/* -- Variables of the frame that was left ----------------------------------- */

/* Lifetimes must name a variable of this frame, and now may not. */
void cofl_osr_drop_lifetimes(struct cofl_continuing *c);

/* Fill in ->moved, before any value is connected: that changes what uses
 * what. */
void cofl_osr_find_moved(struct cofl_continuing *c);

/* A variable of this frame with what is in that of the old one. */
LLVMValueRef cofl_osr_move(struct cofl_continuing *c, LLVMValueRef variable,
			   LLVMValueRef old);
