/*
 * image_build.h - compile a whole program to its image
 *
 * LLVM's code generator compiles every body as it stands in the bitcode, at
 * -O2: what a native compiler would have made of it. Calls between functions
 * stay calls by name, which the loader records. So it does not matter which
 * functions are compiled together. A piece takes a few hundredths of a second;
 * the next one has the functions that are wanted most by then.
 */
#pragma once

#include <stddef.h>

#include "image/image.h"
#include "image/image_stream.h"

/*
 * As cofl_module.image (program/module.h). Pieces go to `stream` as they are
 * compiled; NULL: no program waits for them. Thread: any; shares nothing but
 * the stream.
 */
void *cofl_image_build(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES],
		       struct cofl_image_stream *stream, size_t *n_image,
		       char *why, size_t why_bytes);
