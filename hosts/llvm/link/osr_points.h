/*
 * osr_points.h - points at which running frames of a version can be led elsewhere
 *
 *	old version                          continuation (osr/osr.h)
 *	header:  PHIs
 *	point:   test $n, %eax   ---armed--> jmp
 *	         rest of the loop             |
 *	            ^                         v
 *	            |                      live values to the buffer
 *	            +--- nothing there --- word[loop].go ? --- call ---> from the
 *	                                                       header to the end
 *	         return  <------------- what the function returns --------+
 *
 * A point costs one instruction that does nothing: `test`, five bytes, its
 * immediate the way to the code that leaves. Arming it is one byte, a9 to e9:
 * then it is a `jmp` there. Both are whole instructions of one length and both
 * are right to run, as the patching protocol asks (docs/patching.md).
 *
 * To compile it takes LLVM's assembler, and its slower instruction selection for
 * what is around it: an eighth of the time that code takes which is to be there soon.
 * In such code a point is polled: a byte is loaded and compared. It also counts how
 * often it is entered, since a frame that is in a loop there from its start to its
 * end is one that nobody follows.
 *
 * Nothing in here needs LLVM. Thread: any; one at a time for one version, and
 * not while it is discarded.
 */
#ifndef COFL_LINK_OSR_POINTS_H
#define COFL_LINK_OSR_POINTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cof.h"

/* What a loop's points look at; code has its address. */
struct cofl_word {
	_Atomic(void *)  go;		/* the continuation; NULL: go on */
	_Atomic uint64_t arrived;	/* times an armed point was passed; code
					 * may lose some to races */
};

/* A record the assembler makes for each point, in section COFL_OSR_POINTS_SECTION.
 * One point may be in the code more than once. */
#define COFL_OSR_POINTS_SECTION ".cof.osr"
struct cofl_site {
	int32_t  at;		/* the point, relative to this field */
	uint32_t loop;
};

struct cofl_point {
	unsigned char *byte;	/* that arms it, where it is written */
	uint32_t       loop;
};

struct cofl_osr_points {
	uint32_t           n_loops;
	uint32_t           n;
	struct cofl_point *point;
	struct cofl_word  *word;	/* by loop */
	bool               of_image;	/* the words are */
	unsigned char     *armed;	/* by loop: polled; NULL: points are */
	uint64_t           entries;	/* of polled code; it may lose some */
};

/* Never NULL. `word`: of an image; NULL: made, and zero. */
struct cofl_osr_points *cofl_osr_points_new(uint32_t n_loops, struct cofl_word *word);
void cofl_osr_points_free(struct cofl_osr_points *points);	/* NULL is fine */

/* They will be polled: nothing is to be placed. */
void cofl_osr_points_poll(struct cofl_osr_points *points);

/*
 * Find the points, once loaded: records of loops from `first` on are taken, the
 * code is in `block`. False: there is none, or they make no sense.
 */
bool cofl_osr_points_place(struct cofl_osr_points *points, const struct cof_code *block,
		       const void *records, size_t bytes, uint32_t first);

/*
 * An image has the words of all its methods in one array, those of method i from
 * base[i] to base[i + 1]; and so do its records count loops.
 */
#define COFL_OSR_POINTS_WORDS "cof.osr.words"
#define COFL_OSR_POINTS_BASES "cof.osr.bases"

/* All points of the loops in loop[], by number; ends with a barrier, unless they
 * are polled. */
void cofl_osr_points_arm(struct cofl_osr_points *points, const bool *loop, bool on);

/*
 * Which loops go round? Arms also the points that lead nowhere, and waits until some
 * thread has come by one, and a little longer, but no longer than most_ms, nor
 * when *stop is set. arrived[], by loop: how often. False: nobody came.
 */
bool cofl_osr_points_listen(struct cofl_osr_points *points, uint32_t most_ms,
			const int *stop, uint64_t *arrived);

#endif /* COFL_LINK_OSR_POINTS_H */
