/*
 * bitcode_link.h - have cof-cc make an executable of bitcode
 *
 * The code is what the bitcode says: no pass for optimization runs, and code
 * generation is that of -O2. Symbols are looked for in the libraries for C, C++
 * and mathematics, and in those that the user names; those that have nothing
 * to give are left out. Libraries and plug-ins find all that the program
 * defines.
 *
 * Damaged bitcode makes LLVM crash, or take any time and memory. So clang has
 * limits (support/tuning.def), and what it says is read and not shown.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

/*
 * `loads` as in bitcode_open(); `key` and `hash` are for the tail
 * (support/linked_tail.h). Returns the executable, for reading and
 * executing; no folder has it any more. -1: `why` has the reason, in one line.
 * Thread: one, in a process without another one; blocks; signals that end the
 * process remove the files.
 */
int bitcode_link(const void *bitcode, size_t n, const char *loads,
		 const uint8_t key[COF_HASH_BYTES],
		 const uint8_t hash[COF_HASH_BYTES], char *why,
		 size_t why_bytes);
