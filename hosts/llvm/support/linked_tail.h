/*
 * linked_tail.h - the last bytes of an executable that was linked from a file
 * of bitcode
 *
 * The kernel executes a file that was cut short, and the program ends by a
 * signal some time later. So the last bytes tell the file's size. They also
 * tell which file it was linked from: the history knows the program by that
 * (docs/history.md).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct cofl_linked_tail {
	char     magic[8];
	uint64_t bytes;			/* before it */
	uint8_t  key[COF_HASH_BYTES];	/* its name in the cache */
	uint8_t  file[COF_HASH_BYTES];	/* hash of the file of bitcode */
};

/* False: it cannot be written, and the executable is as good as without.
 * Blocks. */
bool cofl_linked_tail_append(const char *path,
			     const uint8_t key[COF_HASH_BYTES],
			     const uint8_t file[COF_HASH_BYTES]);

/* False: there is none, or the file is not whole. */
bool cofl_linked_tail_read(struct cofl_linked_tail *t, int fd);
