/*
 * sigmask.h - stand-ins that hide signals from the program's masks
 *
 * If the program blocked a hidden signal (hidden.h) in a thread, that thread
 * would not be sampled. If it waited for it, it would receive libcof's. So
 *
 *	block, wait	leave these signals out of the mask
 *	sleep		add them to the mask for the length of the call
 *	read		show the bits as the program last set them
 *
 * A signal that the program handles itself is as it wants it.
 */
#pragma once

#include <signal.h>

/* The start's signal is shown from now on: what the program did to it in the
 * calling thread goes into `mask`. */
void sigmask_show(int sig, sigset_t *mask);

/* The signal of samples is hidden from now on: it is taken out of `mask`, which
 * the calling thread is to have. */
void sigmask_hide(sigset_t *mask);

/* What the program blocked of hidden signals in this thread, and in the one
 * that began it. */
sigset_t sigmask_blocked(void);
void sigmask_inherit(const sigset_t *blocked);
