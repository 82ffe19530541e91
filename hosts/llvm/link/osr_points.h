/*
 * osr_points.h - points at which running frames can be led into a continuation
 *
 *	old version                          continuation (osr/osr.h)
 *	header:  PHIs
 *	point:   test $n, %eax   ---armed--> jmp
 *	         rest of the loop             |
 *	            ^                         v
 *	            |                      live values to the buffer
 *	            +-- nothing there --- word[loop].go ? -- call ---> from the
 *	                                                     header to the end
 *	         return  <------------- what the function returns --------+
 *
 * A point costs one instruction without effect: a `test` of five bytes, whose
 * immediate is the displacement of the leaving code. Arming the point changes
 * one byte, a9 to e9, and makes it a `jmp` there. Both are whole instructions
 * of one length, and running either is correct, as docs/patching.md demands.
 *
 * Needs no LLVM. Thread: any; one at a time for one version, and not while the
 * version is discarded.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cof.h"

/* What a loop's points read; its address is in the code. */
struct cofl_word {
	_Atomic(void *)  go;		/* the continuation; NULL: stay */
	_Atomic uint64_t arrived;	/* passes of an armed point; races may
					 * lose some */
};

/*
 * How often loops went round (points/osr_turns.h). A frame takes a slot when it
 * comes in, one after the other, and stores its number there: to add in memory
 * would take longer than many a turn. Frames that share a slot overwrite each
 * other's: the number may fall.
 */
#define COFL_OSR_TURN_SLOTS 16u
struct cofl_turns {
	_Atomic uint64_t taken;		/* slots */
	struct {
		_Alignas(64) _Atomic uint64_t n;
	} slot[COFL_OSR_TURN_SLOTS];
};

/* The assembler writes one record a point into section COFL_OSR_POINTS_SECTION.
 * One point may be in the code more than once. */
#define COFL_OSR_POINTS_SECTION ".cof.osr"
struct cofl_site {
	int32_t  at;		/* the point, relative to this field */
	uint32_t loop;
};

/* The symbol of a function's continuations, an array of addresses by loop. */
#define COFL_OSR_TABLE_BYTES 512
static inline void cofl_osr_table_name(char to[COFL_OSR_TABLE_BYTES],
				       const char *function)
{
	snprintf(to, COFL_OSR_TABLE_BYTES, "%.480s.osr", function);
}

struct cofl_point {
	unsigned char *byte;	/* the opcode, where it is written */
	uint32_t       loop;
};

struct cofl_osr_points {
	uint32_t           n_loops;
	uint32_t           n;
	struct cofl_point *point;
	struct cofl_word  *word;	/* by loop */
	bool               words_lent;	/* they are the executable's */
	struct cofl_turns *turns;	/* NULL: the code does not count them */
	bool               listens;	/* armed since a listen() in vain */
	/* Change a point; NULL: ->byte is where it is written. */
	void             (*store)(unsigned char *at, unsigned char byte);
};

/* NULL: no memory. `word`: the loaded code's, borrowed; NULL: zeroed ones are
 * allocated. */
struct cofl_osr_points *cofl_osr_points_new(uint32_t n_loops,
					    struct cofl_word *word);
void cofl_osr_points_free(struct cofl_osr_points *points); /* NULL is fine */

/* The code will count turns. False: no memory. */
bool cofl_osr_points_count(struct cofl_osr_points *points);

/* Turns of all loops that are counted, so far. */
uint64_t cofl_osr_points_turns(const struct cofl_osr_points *points);

/* Find the points of loaded code in `block` by their records. False: there is
 * none, or a record is wrong. */
bool cofl_osr_points_place(struct cofl_osr_points *points,
			   const struct cof_code *block, const void *records,
			   size_t bytes);

/* Arm or disarm all points of the loops in loop[], by number; NULL: of all
 * loops. Ends with a barrier. */
void cofl_osr_points_arm(struct cofl_osr_points *points, const bool *loop,
			 bool on);

/* Lead frames from all loops that have an entry in entry[], by number, to it.
 * Continuations of outer loops were built with those inside. */
void cofl_osr_points_lead(struct cofl_osr_points *points, void *const *entry);

/* Disarm all points, and forget the continuations. A thread that passes a point
 * now may still leave; later ones do not. */
void cofl_osr_points_disarm(struct cofl_osr_points *points);

/*
 * Find out which loops are running. Arms the points without a continuation,
 * waits until a thread passes one, then for osr_outer_ms more. Waits at most
 * most_ms, and stops when *stop is set. arrived[loop] is the number of passes.
 *
 * False: no thread passed, or there is no memory. The points stay armed then: a
 * loop may take minutes to come round, and an armed point that nobody passes
 * costs nothing. The next call tells at once whether a thread passed since. If
 * there will be none, cofl_osr_points_disarm() must be called.
 */
bool cofl_osr_points_listen(struct cofl_osr_points *points, uint32_t most_ms,
			    const int *stop, uint64_t *arrived);
