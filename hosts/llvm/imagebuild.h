/*
 * imagebuild.h - compile a whole program to its image
 *
 * Every body as it stands in the bitcode, through LLVM's code generator at -O2,
 * in one unit: what a native compiler would have made of the same bitcode. Calls
 * between functions stay calls by name, for the loader to record.
 */
#ifndef COFL_IMAGEBUILD_H
#define COFL_IMAGEBUILD_H

#include <stddef.h>

#include "image.h"

/* As cofl_module.image (module.h). Thread: any; uses nothing that is shared. */
void *cofl_image_build(const void *bytes, size_t n_bytes,
		       const uint8_t key[COFL_HASH_BYTES], size_t *n_image,
		       char *why, size_t why_bytes);

#endif /* COFL_IMAGEBUILD_H */
