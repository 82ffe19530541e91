/*
 * image_stream.h - an image in pieces, from the maker's process to the program
 *
 *	program   how much each method is wanted ------> maker
 *	          <------ pieces, as they are compiled
 *
 * Only these two processes map the memory:
 *
 *	head | method: wanted, instructions ... | piece | piece ...
 *
 * It is much larger than the pieces will be, since pages that are not written
 * take no memory. A piece is an object file (image/image.h), with its length
 * before it.
 *
 * Orderings, by letter: a release store of the head's end (A), after the piece
 * and the words of its methods; an acquire load (B) before these are read. A
 * release store of the state (C), after all pieces that it covers; an acquire
 * load (D) before the reader looks for one more. The rest is relaxed: a maker
 * that reads a wish late makes another piece first.
 *
 * Thread: one on each side; cofl_image_stream_want() and _state(): any.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cofl_image_stream_state {
	COFL_IMAGE_STREAM_NOT_BEGUN,
	COFL_IMAGE_STREAM_COMING,	/* the maker is compiling */
	COFL_IMAGE_STREAM_ENDED,	/* no more pieces will come */
	COFL_IMAGE_STREAM_NEVER,	/* another process makes this image */
};

struct cofl_image_stream_head;

struct cofl_image_stream {
	struct cofl_image_stream_head *head;	/* NULL: none */
	uint64_t                   bytes;	/* mapped */
	uint64_t                   at;		/* read or written so far */
};

/* -- The program ----------------------------------------------------------- */

/* Create the memory, with `room` bytes for pieces. Returns a descriptor for the
 * maker to inherit, which the caller closes then. -1: no memory, or no file may
 * be so large. */
int cofl_image_stream_new(struct cofl_image_stream *d, uint32_t n_methods,
			  uint64_t room);

/* Set how much `method` is wanted. 0, as at first: not at all. */
void cofl_image_stream_want(struct cofl_image_stream *d, uint32_t method,
			    uint32_t much);

enum cofl_image_stream_state
cofl_image_stream_state(const struct cofl_image_stream *d);

/* The next piece, valid until close(). False: there is none so far, or the
 * maker wrote invalid data; then none will come. */
bool cofl_image_stream_next(struct cofl_image_stream *d, const void **piece,
			    size_t *n);

/* The number of instructions of a method in a piece; 0: it is in no piece so
 * far. */
uint32_t cofl_image_stream_instructions(const struct cofl_image_stream *d,
					uint32_t method);

/* -- The maker ------------------------------------------------------------- */

/* Map the memory by the inherited descriptor, which the caller still closes.
 * False: it is no stream. */
bool cofl_image_stream_open(struct cofl_image_stream *d, int fd);

/* How much `method` is wanted; 0 also for a number that the program does not
 * have. */
uint32_t cofl_image_stream_wanted(const struct cofl_image_stream *d,
				  uint32_t method);

void cofl_image_stream_enter(struct cofl_image_stream *d,
			     enum cofl_image_stream_state state);

/* The next piece put has `method`, of so many instructions. */
void cofl_image_stream_announce(struct cofl_image_stream *d, uint32_t method,
			   uint32_t instructions);

/* Add a piece. False: there is not enough memory left. */
bool cofl_image_stream_put(struct cofl_image_stream *d, const void *piece,
			   size_t n);

/* -- Both ------------------------------------------------------------------ */

void cofl_image_stream_close(struct cofl_image_stream *d);
