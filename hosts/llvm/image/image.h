/*
 * image.h - a program's native image: the file, as a view
 *
 *	header | methods | aliases | ifuncs | starts | ends | names | pieces | objects
 *
 * The image is what a whole program compiles to: its functions and variables, and
 * what the loader has to know about them beyond that, so that the program starts
 * without LLVM. It comes in pieces, each an object file: the first one has the
 * variables, the others have functions, of which one or the other may be all that
 * is wanted for now (image_stream.h). Methods stand by number, the same
 * number as in every copy of the bitcode (ir/copy.h), so that what is hot is found
 * there again.
 *
 * Names are offsets into the names, which end with a NUL. All offsets count from
 * the beginning of the file. What a view was made of is consistent: offsets
 * inside, names inside, the hash over everything right. What the object says
 * about itself is LLVM's word, guarded by the hash.
 *
 * Pure: no files, no LLVM. Where images lie is image_cache.h, how they are made
 * module/image_build.h, how a program is loaded from one image_load.h.
 */
#ifndef COFL_IMAGE_IMAGE_H
#define COFL_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

#define COFL_HASH_BYTES COF_HASH_BYTES

/* Change it with anything that makes a program of the same bitcode compile to
 * something else, or an image mean something else. */
#define COFL_IMAGE_FORMAT 6u

enum cofl_image_flags {
	COFL_IMAGE_MOVES_STACK = 1,	/* inline assembly names the stack
					 * pointer */
	COFL_IMAGE_ASSEMBLY    = 2,	/* module-level assembly */
};

enum cofl_image_part {
	COFL_IMAGE_METHODS,	/* struct cofl_image_method */
	COFL_IMAGE_ALIASES,	/* struct cofl_image_pair: name, method's name */
	COFL_IMAGE_IFUNCS,	/* struct cofl_image_pair: name, resolver */
	COFL_IMAGE_STARTS,	/* uint32_t name: constructors, in order */
	COFL_IMAGE_ENDS,	/* uint32_t name: destructors, the last first */
	COFL_IMAGE_NAMES,	/* bytes */
	COFL_IMAGE_PIECES,	/* struct cofl_image_piece; one at least */
	COFL_IMAGE_OBJECTS,	/* bytes, aligned to 64 */
	COFL_IMAGE_PARTS
};

struct cofl_image_header {
	char     magic[8];
	uint32_t format;
	uint32_t flags;
	uint8_t  key[COFL_HASH_BYTES];
	uint8_t  hash[COFL_HASH_BYTES];	/* of the file, this field zero */
	uint64_t bytes;			/* of the file */
	struct {
		uint64_t offset;
		uint64_t n;		/* elements */
	} part[COFL_IMAGE_PARTS];
};

enum cofl_image_method_flags {
	COFL_IMAGE_PINNED       = 1,	/* program/host.h has these two */
	COFL_IMAGE_KEEPS_LABELS = 2,
};

struct cofl_image_method {
	uint32_t name;
	uint32_t n_instructions;
	uint32_t flags;
};

struct cofl_image_pair {
	uint32_t name, of;
};

/* In the objects' bytes. */
struct cofl_image_piece {
	uint32_t at;		/* in units of 64 bytes */
	uint32_t bytes;
};
#define COFL_IMAGE_ALIGN 64u

/* A view; the bytes must outlive it. */
struct cofl_image {
	const char                      *bytes;	/* NULL: no image */
	size_t                           n_bytes;
	const struct cofl_image_header  *header;
	const struct cofl_image_method  *method;
	const struct cofl_image_pair    *alias, *ifunc;
	const uint32_t                  *start, *end;
	const char                      *names;
	const struct cofl_image_piece   *piece;
	const char                      *objects;
};

static inline size_t cofl_image_n(const struct cofl_image *image,
				  enum cofl_image_part part)
{
	return image->header->part[part].n;
}

static inline const char *cofl_image_object(const struct cofl_image *image,
					    size_t piece)
{
	return image->objects +
	       (size_t)image->piece[piece].at * COFL_IMAGE_ALIGN;
}

/*
 * What an image of this bitcode on this machine is known by. `hash` is the
 * bitcode's.
 */
void cofl_image_key(const uint8_t hash[COFL_HASH_BYTES],
		    uint8_t key[COFL_HASH_BYTES]);

/* False: not an image with this key, or damaged; *image is then empty. `bytes`
 * is aligned as malloc(3) does. */
bool cofl_image_open(struct cofl_image *image, const void *bytes, size_t n,
		     const uint8_t key[COFL_HASH_BYTES]);

/* -- Making one ------------------------------------------------------------- */

struct cofl_image_parts {
	uint32_t    flags;
	const void *part[COFL_IMAGE_PARTS];
	size_t      n[COFL_IMAGE_PARTS];	/* elements */
};

/* A whole file, from malloc(3); NULL: no memory. */
void *cofl_image_make(const struct cofl_image_parts *parts,
		      const uint8_t key[COFL_HASH_BYTES], size_t *n_bytes);

#endif /* COFL_IMAGE_IMAGE_H */
