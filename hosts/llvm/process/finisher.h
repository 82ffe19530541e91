/*
 * finisher.h - at the end of a run: a process that builds what it counted
 *
 *	program --vfork--> child --vfork--> runtime --cof-finish PROGRAM
 *	        <--wait---
 *
 * The child is none of the program's: it ends without a signal, and no wait of
 * the program's sees it. What it leaves behind has another parent, the lowest
 * priority, a process group of its own, and /dev/null as its three streams. It
 * keeps neither the program's file nor its folder busy.
 */
#pragma once

#include <stdbool.h>

#include "preload/environment.h"

/* At the program's begin; `env` is borrowed for good. */
void finisher_init(const struct environment *env);

/* Not in a child of a fork, where the program's rights are others by now, or
 * where there is nothing to start. Thread: as for finisher_start(). */
bool finisher_may(void);

/* Start it, if it may be. Thread: one, at exit. */
void finisher_start(void);
