/*
 * finisher.h - at the end of a run: a process that builds what it counted
 *
 *	program --vfork--> child --vfork--> runtime --cof-finish PROGRAM
 *	        <--wait---
 *
 * The child is none of the program's: it ends without a signal, and no wait of
 * the program's sees it. What it leaves behind has another parent, the lowest
 * priority, no terminal, and nothing open. It keeps neither the program's file
 * nor its folder busy.
 */
#pragma once

#include "preload/environment.h"

/* At the program's begin; `env` is borrowed for good. */
void finisher_init(const struct environment *env);

/* Start it. Nothing happens in a child of a fork, where the program's rights
 * are others by now, or if it cannot be. Thread: one, at exit. */
void finisher_start(void);
