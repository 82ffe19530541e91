/*
 * bitcode_check.h - keep damaged bitcode from the program's process
 *
 * Bitcode in an executable has a checksum (support/record.h). A file of bitcode
 * has none, so another process reads all of it first, within limits of memory
 * and CPU time. A note in the cache directory vouches for it afterwards.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"

/*
 * Have the bitcode at `path` checked, unless the cache vouches for what has
 * this key. False: it is damaged, and `why` has the reason. If no process can
 * be started, nothing is checked, and the answer is true. Blocks. Thread: the
 * one that opens the program, before any of its code runs.
 */
bool cofl_bitcode_check(const char *path, const uint8_t key[COFL_HASH_BYTES],
			char *why, size_t why_bytes);

/* In the other process: check the file, and tell the one that waits. Returns
 * an exit status. */
int cofl_bitcode_check_run(const char *path);
