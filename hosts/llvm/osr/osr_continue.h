/*
 * osr_continue.h - a continuation while it is made, for osr_continue.c,
 * osr_demote.c and osr_variable.c
 */
#pragma once

#include "osr/osr.h"
#include "points/osr_mark.h"

struct cofl_continuing {
	struct cofl_clone           *unit;
	LLVMBuilderRef               builder;
	LLVMContextRef               context;
	LLVMTypeRef                  ptr;
	LLVMValueRef                 to;
	const struct cofl_loop      *loop;
	const struct cofl_osr_entry *layout;
	LLVMBasicBlockRef            entry;
	LLVMBasicBlockRef            last;	/* entry, or what follows it */
	LLVMValueRef                *live;	/* in the clone; NULL: done */
	LLVMValueRef                *loaded;
	bool                        *moved;	/* the live value is a variable
						 * that gets a new place */
	LLVMValueRef                 buffer;	/* for the next continuation;
						 * NULL: none so far */
	struct cofl_map              reached;	/* blocks */
};

static inline LLVMBasicBlockRef cofl_osr_block(struct cofl_continuing *c)
{
	return LLVMAppendBasicBlockInContext(c->context, c->to, "");
}

/* -- Values with two definitions ------------------------------------------- */

/* Fill in ->reached, from the loop's header on. */
void cofl_osr_note_reached(struct cofl_continuing *c, LLVMBasicBlockRef header);

/* Is the instruction in a reached block? */
bool cofl_osr_reached(const struct cofl_continuing *c, LLVMValueRef i);

/* Keep live value `i` in a variable. */
void cofl_osr_demote(struct cofl_continuing *c, uint32_t i);

/* -- Variables of the old frame -------------------------------------------- */

/* Erase lifetimes: they must name a variable of this frame, and may not now. */
void cofl_osr_drop_lifetimes(struct cofl_continuing *c);

/* Fill in ->moved. Call it before connecting values, which changes uses. */
void cofl_osr_find_moved(struct cofl_continuing *c);

/* A variable of this frame, with the contents of the old one. */
LLVMValueRef cofl_osr_move(struct cofl_continuing *c, LLVMValueRef variable,
			   LLVMValueRef old);
