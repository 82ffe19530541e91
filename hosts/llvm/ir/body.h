/*
 * body.h - the edges and sites of a function, which its profile counts
 *
 * A clone that was not changed yet has the same as the program's function.
 * Sites, in the order of instructions, are indirect calls, and copies and
 * comparisons of memory whose length is not constant.
 *
 * Thread: the holder of the copy's lock.
 */
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "profile/graph.h"
#include "profile/method_profile.h"

struct cofl_body {
	struct cofl_graph   graph;
	struct cofl_outline outline;
	uint32_t           n_blocks;
	LLVMBasicBlockRef *block;	/* by number */
	uint32_t          *first;	/* by block: where its successors' edges
					 * begin in .edge; n_blocks + 1 */
	uint32_t          *edge;	/* by successor; a block without any has
					 * one, to the outside */
	LLVMValueRef      *site;
	uint8_t           *kind;	/* enum cofl_site_kind, by site */
};

void cofl_body_read(struct cofl_body *body, LLVMValueRef f);
void cofl_body_free(struct cofl_body *body);

/* The pointer that is called at a site, or the length. */
LLVMValueRef cofl_body_value(const struct cofl_body *body, uint32_t site);

/* Is it a call, or an invoke, through a pointer? */
bool cofl_body_is_indirect_call(LLVMValueRef i);
