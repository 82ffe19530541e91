/*
 * image_stream.h - an image in pieces, from the process that makes it to the program
 *
 *	program   how much each method is wanted ------> maker
 *	          <------ pieces, as they are compiled
 *
 * Memory that both have mapped and nobody else:
 *
 *	head | method: wanted, instructions ... | piece | piece ...
 *
 * It has room for far more than there will be: what is not written takes no
 * memory. A piece is an object file (image.h), with its length before it.
 *
 * Orderings, by letter: a release store of the head's end (A), after the piece and
 * what is said of its methods; an acquire load (B) before these are read. A
 * release store of the state (C), after all pieces that it is about; an acquire
 * load (D) before looking for one more. The rest is relaxed: who hears late of a
 * wish makes another piece first.
 *
 * Thread: one on each side; cofl_image_stream_want() and _state() any.
 */
#ifndef COFL_IMAGE_IMAGE_STREAM_H
#define COFL_IMAGE_IMAGE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cofl_image_stream_state {
	COFL_IMAGE_STREAM_NOT_BEGUN,
	COFL_IMAGE_STREAM_COMING,	/* the maker is at it */
	COFL_IMAGE_STREAM_ENDED,	/* all there will be is there */
	COFL_IMAGE_STREAM_NEVER,	/* somebody else makes this image */
};

struct cofl_image_stream_head;

struct cofl_image_stream {
	struct cofl_image_stream_head *head;	/* NULL: none */
	uint64_t                   bytes;	/* mapped */
	uint64_t                   at;		/* read, or written, up to here */
};

/* -- The program ------------------------------------------------------------ */

/* `room`: bytes for pieces. A descriptor for the maker to inherit, to be closed
 * then; -1: no memory. */
int  cofl_image_stream_new(struct cofl_image_stream *d, uint32_t n_methods,
		       uint64_t room);

/* 0 at first, and for what is never wanted. */
void cofl_image_stream_want(struct cofl_image_stream *d, uint32_t method, uint32_t much);

enum cofl_image_stream_state cofl_image_stream_state(const struct cofl_image_stream *d);

/* The next piece, good until it is closed. False: none so far, or the maker wrote
 * nonsense; then there will be none. */
bool cofl_image_stream_next(struct cofl_image_stream *d, const void **piece, size_t *n);

/* Of a method in a piece; 0: in none so far. */
uint32_t cofl_image_stream_instructions(const struct cofl_image_stream *d,
				    uint32_t method);

/* -- The maker -------------------------------------------------------------- */

/* `fd` as it was inherited. False: it is none of these. */
bool cofl_image_stream_open(struct cofl_image_stream *d, int fd);

/* 0 also for what the program does not know. */
uint32_t cofl_image_stream_wanted(const struct cofl_image_stream *d, uint32_t method);

void cofl_image_stream_enter(struct cofl_image_stream *d, enum cofl_image_stream_state state);

/* This method is in the piece that is put next. */
void cofl_image_stream_say(struct cofl_image_stream *d, uint32_t method,
		       uint32_t instructions);

/* False: there is no room. */
bool cofl_image_stream_put(struct cofl_image_stream *d, const void *piece, size_t n);

/* -- Both ------------------------------------------------------------------- */

void cofl_image_stream_close(struct cofl_image_stream *d);

#endif /* COFL_IMAGE_IMAGE_STREAM_H */
