/*
 * image_launch.h - have the image made while the program runs for the first time
 *
 * Another process compiles it: LLVM's memory, its errors and the time it takes
 * are not the program's. It is no child of the program, so that wait(2) does not
 * find it, has no descriptor of it, low priority, and may outlive it. Once the
 * image is there, the running program goes over to it.
 */
#ifndef COFL_IMAGE_IMAGE_LAUNCH_H
#define COFL_IMAGE_IMAGE_LAUNCH_H

#include "program/host.h"

/* Thread: the one that opens the program, before any of its code runs. Errors
 * are not told: then there is no image. */
void cofl_image_launch(struct cofl *host, const uint8_t key[COFL_HASH_BYTES],
		 uint64_t max_mb);

/* In the new process: become nobody's child. */
void cofl_image_launch_detach(void);

#endif /* COFL_IMAGE_IMAGE_LAUNCH_H */
