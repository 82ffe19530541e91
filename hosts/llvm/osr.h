/*
 * osr.h - on-stack replacement: a loop goes on in newer code while it runs
 *
 *	old version's frame   point ---> continuation(live values)
 *	                                     ^ the loop, and all that follows
 *	                                     |
 *	                      inner loop's --+ where the outer one begins anew
 *
 * A continuation is made of the function's body as it stands in the program, like
 * every version, and begins behind the PHIs of a loop's header. The old frame
 * stays below it until it returns: variables whose address is known elsewhere
 * stay where they are. The continuation of an inner loop ends where an outer one
 * begins anew, and calls the outer one's: so each has its loops whole, as the
 * optimizer wants them.
 *
 * Which loops? The points (point.h) of all are armed for a moment without a
 * continuation, and the words count who comes by: of each nest that is alive the
 * outermost loop that goes round is taken.
 *
 * How a unit gets points: while a body is cloned each gate is marked by a call
 * with what is alive there as arguments. What is put into the clone after that,
 * or replaced in it, changes the marks' arguments as any others. In the end marks
 * become points.
 *
 * Thread: the holder of the copy's lock, but for cofl_osr_run().
 */
#ifndef COFL_OSR_H
#define COFL_OSR_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "clone.h"
#include "gate.h"
#include "host.h"
#include "point.h"

/* -- Marks and points ------------------------------------------------------- */

/*
 * Clones of `f` that this unit makes from now on get marks, if there is anything
 * to mark; `points`: they will become points, and no marks may be left when the
 * module is compiled (cofl_osr_finish()).
 */
void cofl_osr_prepare(struct cofl_unit *unit, LLVMValueRef f, bool points);

/* For code that is to be fast: only points that are worth it, and keep[]. */
void cofl_osr_sparse(struct cofl_unit *unit, const bool *keep);

/* For code that is to be there soon: every loop, since nobody can say how long a
 * frame is in there; of those in other loops as many as are compiled in time. They
 * are polled (point.h). */
void cofl_osr_affordable(struct cofl_unit *unit);

/* clone.c's: mark `to`, a clone of `f`. */
void cofl_osr_mark(struct cofl_unit *unit, LLVMValueRef f, LLVMValueRef to);

/* Turn all marks of the unit into points, or take them out. */
void cofl_osr_finish(struct cofl_unit *unit);

/* The unit has become the version desc->data: so have its points. */
void cofl_osr_attach(struct cofl_unit *unit, struct cof_version_desc *desc);

/*
 * The same for an image, whose code does not know where its words are before it
 * is loaded: begin; for each method, in order, before it is cloned: method(), and
 * cofl_osr_finish() after, or none(): it is not in this piece; end.
 */
void cofl_osr_image_begin(struct cofl_unit *unit, uint32_t n_methods);
void cofl_osr_image_method(struct cofl_unit *unit, LLVMValueRef f, uint32_t i);
void cofl_osr_image_none(struct cofl_unit *unit, uint32_t i);
void cofl_osr_image_end(struct cofl_unit *unit, uint32_t n_methods);

/* clone.c's: free what prepare() made. */
void cofl_osr_forget(struct cofl_unit *unit);

#define COFL_OSR_MARK "cof.osr.mark"	/* what is called */
struct cofl_mark {
	LLVMValueRef call;
	uint32_t     loop;
	LLVMValueRef labels;	/* of this clone, in the order of targets */
};

/* The marks in function `to`, at most n_loops. */
uint32_t cofl_osr_marks(const struct cofl_unit *unit, LLVMValueRef to,
			struct cofl_mark *mark);

/* What is alive at a mark, as gates.loops.loop[].live counts. */
static inline LLVMValueRef cofl_mark_live(const struct cofl_mark *mark,
					  uint32_t i)
{
	return LLVMGetOperand(mark->call, 2 + i);
}

/*
 * Cut the block at the mark, which is erased: what was before it goes to a new
 * block, without a terminator, that takes its place. Returns that.
 */
LLVMBasicBlockRef cofl_osr_split(struct cofl_unit *unit,
				 const struct cofl_mark *mark);

/*
 * At the builder's end of a block: store what is alive to `buffer`. live[] as of
 * the mark.
 */
void cofl_osr_store(struct cofl_unit *unit, uint32_t loop, LLVMValueRef labels,
		    LLVMValueRef *live, LLVMValueRef buffer);

/* A buffer at the start of the function. */
LLVMValueRef cofl_osr_buffer(struct cofl_unit *unit, LLVMValueRef to);

/* Call `continuation` with the buffer, and return what it returns. */
void cofl_osr_leave(struct cofl_unit *unit, LLVMValueRef to,
		    LLVMValueRef continuation, LLVMValueRef buffer);

/* -- Continuations ---------------------------------------------------------- */

/* Declare a continuation of `f`. */
LLVMValueRef cofl_osr_declare(struct cofl_unit *unit, LLVMValueRef f,
			      const char *name);

/* What may be done to a body before it is a continuation: `entry` is there. */
typedef void cofl_osr_edit(void *arg, struct cofl_unit *unit, LLVMValueRef to,
			   bool cloned);

/*
 * Define `to`, declared so: `f` from `loop` on. Where it comes to the header of a
 * loop k with next[k] not NULL it goes on there. `edit`, if not NULL, is called
 * with the clone as it is, and again once it has its entry.
 */
void cofl_osr_continue(struct cofl_unit *unit, LLVMValueRef f, LLVMValueRef to,
		       uint32_t loop, LLVMValueRef *next, cofl_osr_edit *edit,
		       void *arg);

/* -- The job ---------------------------------------------------------------- */

/* host.osr() */
int  cofl_osr_run(void *ctx, void *ir, void *version, enum cof_plan plan,
		  const int *stop, struct cof_version_desc *out);

#endif /* COFL_OSR_H */
