/*
 * hidden.h - signals that are not the program's
 *
 *	signal			from		until
 *	of the start (start.h)	the beginning	the main thread is attached
 *	libcof's for samples	open		the end
 *
 * The program finds their dispositions and its masks as if they did not come.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Which are hidden. Async-signal-safe. */
struct hidden {
	int start, samples;	/* 0: none */
};

struct hidden hidden_signals(void);

/* sigaction(2) of the program for one of them, or for any other. */
int hidden_sigaction(int sig, const struct sigaction *act,
		     struct sigaction *old);

/* Show the start's signal; it has no handler of ours from now on. False: it
 * was not hidden. */
bool hidden_end_start(void);

/* Hide it: this is its handler. False: it could not be set. */
bool hidden_begin_start(int sig, const struct sigaction *act);

/* Hand a signal that was not ours to the program's handler. */
void hidden_pass_on(int sig, siginfo_t *info, void *context);

/* Does the program handle the signal itself? Then its masks have it. */
bool hidden_is_handled(int sig);
