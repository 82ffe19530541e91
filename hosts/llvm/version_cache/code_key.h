/*
 * code_key.h - the key under which code that was compiled here is kept
 *
 * It is a hash of the bitcode, the processor, the versions of LLVM and libcof,
 * and of a number for what they do not tell.
 */
#pragma once

#include <stdint.h>

#include "base/hash.h"

/* Change it with any change after which the same bitcode compiles to other
 * code, or a file has another meaning. */
#define COFL_CODE_FORMAT 14u

void cofl_code_key(const uint8_t hash[COF_HASH_BYTES],
		   uint8_t key[COF_HASH_BYTES]);
