/*
 * image_launch.h - have another process make the image while the program runs
 *
 * So LLVM's memory, errors and time are not the program's. The process is no
 * child of the program, so wait(2) does not find it; it has none of the
 * program's descriptors, has low priority, and may outlive it. Once the image
 * is there, the running program goes over to it.
 */
#pragma once

#include "program/host.h"

/* Start the process, and a thread that waits for the image. Errors are not
 * reported: then there is no image. Thread: the one that opens the program,
 * before any of its code runs. */
void cofl_image_launch(struct cofl *host, const uint8_t key[COFL_HASH_BYTES],
		       uint64_t max_mb);

/* In the new process: fork, and go on in a child of low priority that is not
 * the program's. */
void cofl_image_launch_detach(void);
