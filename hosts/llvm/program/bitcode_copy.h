/*
 * bitcode_copy.h - the program's bitcode, apart from its file
 *
 * LLVM reads functions when they are first needed, long after the file was
 * checked. The file may be written to while the program runs: it is not the
 * executable that the kernel guards (ETXTBSY). So LLVM reads a copy, checked
 * after it was made.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cofl;

/*
 * Have host->bytes lead to a checked copy, which stays. False: the file was
 * changed, or there is no memory; `why` has the reason and nothing changed.
 * Thread: any, under the module's lock.
 */
bool cofl_bitcode_copy(struct cofl *host, char *why, size_t why_bytes);
