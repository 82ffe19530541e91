/*
 * image.h - the file of a program's native image, as a view
 *
 *	header | methods | aliases | ifuncs | starts | ends | names |
 *	pieces | objects
 *
 * An image is the compiled code of a whole program: its functions and
 * variables, and what the loader needs to know of them. With it the program
 * starts without LLVM.
 *
 * The code is in pieces, each an object file. The first piece has the
 * variables, the others have functions. A program that is running already can
 * take the pieces one by one (image/image_stream.h). Methods stand by number,
 * which is the same in every copy of the bitcode (ir/copy.h). So a hot method
 * is found here by its number.
 *
 * Names are offsets into the names, which end with a NUL. All offsets count
 * from the beginning of the file. An open view is consistent: offsets and names
 * are inside, and the hash over the file is right. The contents of the objects
 * are LLVM's, and trusted because of the hash.
 *
 * Pure: no files, no LLVM. image/image_cache.h stores images,
 * module/image_build.h makes them, image/image_load.h loads a program from one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "version_cache/code_key.h"

#define COFL_HASH_BYTES COF_HASH_BYTES

#define COFL_IMAGE_FORMAT COFL_CODE_FORMAT

enum cofl_image_flags {
	COFL_IMAGE_MOVES_STACK = 1,	/* inline assembly names the stack
					 * pointer */
	COFL_IMAGE_ASSEMBLY    = 2,	/* module-level assembly */
};

enum cofl_image_part {
	COFL_IMAGE_METHODS,	/* struct cofl_image_method */
	COFL_IMAGE_ALIASES,	/* struct cofl_image_pair: name, method's */
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
	COFL_IMAGE_KEEPS_BLOCKADDRESSES = 2,
};

struct cofl_image_method {
	uint32_t name;
	uint32_t n_instructions;
	uint32_t flags;
	uint32_t align;		/* of its address, a power of two; 0: any */
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

/* The first n_head bytes of a file of n bytes: may it be an image with this
 * key? Before all of it is read. */
bool cofl_image_may_be(const void *head, size_t n_head, uint64_t n,
		       const uint8_t key[COFL_HASH_BYTES]);

/* Check the bytes, which are aligned as malloc(3) aligns. False: they are not
 * an image with this key, or are damaged; *image is then empty. */
bool cofl_image_open(struct cofl_image *image, const void *bytes, size_t n,
		     const uint8_t key[COFL_HASH_BYTES]);

/* -- Making one ------------------------------------------------------------ */

struct cofl_image_parts {
	uint32_t    flags;
	const void *part[COFL_IMAGE_PARTS];
	size_t      n[COFL_IMAGE_PARTS];	/* elements */
};

/* The bytes of the file, for the caller to free(3); NULL: no memory. */
void *cofl_image_make(const struct cofl_image_parts *parts,
		      const uint8_t key[COFL_HASH_BYTES], size_t *n_bytes);
