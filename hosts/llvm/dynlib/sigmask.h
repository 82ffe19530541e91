/*
 * sigmask.h - stand-ins that hide the sampling signal from the program's masks
 *
 * The sampling signal does not belong to the program. If the program blocked it
 * in a thread, that thread would not be sampled. If the program waited for it,
 * the program would receive libcof's signal. So the stand-ins
 *
 *	block, wait	leave the sampling signal out of the mask
 *	sleep		add it to the mask for the length of the call
 *	read		show the bit as the program last set it
 *
 * If the program handles the signal itself, the stand-ins change nothing.
 */
#pragma once

#include <stdint.h>

/* `sig` is the sampling signal; 0: there is none. */
void cofl_sigmask_init(int sig);

/* Our stand-in for libc's function `name`, or 0. */
uintptr_t cofl_sigmask_stand_in(const char *name);
