/*
 * image_launch.h - have another process make the image while the program runs
 *
 * So LLVM's memory, errors and time are not the program's. The program does not
 * find the process by wait(2) (maker.h); it has none of the program's
 * descriptors, has low priority, and may outlive it. Once the image is there,
 * the running program goes over to it.
 */
#pragma once

#include "program/host.h"

/* The word that tells the maker which bitcode to expect, with its hash behind
 * it in hexadecimal: the file may be another one by then. */
#define COFL_IMAGE_OF "--cof-image-of="

/*
 * Start the process, and a thread that waits for the image. Unless `now`, the
 * thread starts the process when the program has used some CPU time: an image
 * of a program that is run once, for a moment, would be of no use. Errors are
 * not reported: then there is no image. Thread: the one that opens the program,
 * before any of its code runs.
 */
void cofl_image_launch(struct cofl *host, const uint8_t key[COFL_HASH_BYTES],
		       uint64_t max_mb, bool now);
