/*
 * image_build.h - compile a whole program to its image
 *
 * Every body as it stands in the bitcode, through LLVM's code generator at -O2:
 * what a native compiler would have made of the same bitcode. Calls between
 * functions stay calls by name, for the loader to record, so it does not matter
 * which of them are compiled together: a piece has a few hundredths of a second's
 * worth, and the next one those that are wanted most by then.
 */
#pragma once

#include <stddef.h>

#include "image/image_stream.h"
#include "image/image.h"

/*
 * As cofl_module.image (program/module.h). Thread: any; uses nothing that is shared, but
 * for `to`: code is delivered there, piece by piece. NULL: nobody waits for it.
 */
void *cofl_image_build(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES],
		       struct cofl_image_stream *to, size_t *n_image, char *why,
		       size_t why_bytes);
