/*
 * prepare.h - what is made of a program without running it
 */
#pragma once

#include "program/program.h"

/*
 * Make the program's image, unless it is in the cache, without running the
 * program. `of`: the hash of the bitcode that is expected, in hexadecimal;
 * NULL: any. `fd`: of a program that waits for its pieces
 * (image/image_stream.h); -1: none does. 0: it is in the cache; 1: it cannot be
 * stored; negative: it cannot be made. Except for 0, `why` has the reason.
 */
int cofl_prepare_image(const char *path, const char *of, uint64_t max_mb,
		       int fd, char why[COFL_WHY_BYTES]);

/* Write a new section .cof.bc to a file: the program's bitcode, joined to one.
 * 0; 1: what the linker decided cannot be told, so the section says this, and
 * `why`; -1 and `why`. */
int cofl_prepare_bitcode(const char *path, const char *to,
			       char why[COFL_WHY_BYTES]);
