/*
 * stages.h - the stages of an instance
 *
 * They are made before SAM, which feeds them, and get their threads before SAM
 * takes a sample. While mode auto waits to see whether the program runs long
 * enough for a look at its history, there is only SAM's thread: a program that
 * ends at once pays for one thread.
 */
#pragma once

#include "sampler/sampler.h"

struct cof;

/*
 * Make audit, phases, P/O, and, except in mode pgo, PRE. cof_free() frees what
 * was made. 0 or -COF_E_NOMEM.
 */
int cof_stages_new(struct cof *cof);

/*
 * Start their threads, once: from cof_start(), or from SAM if the start was
 * delayed. 0 or -COF_E_NOMEM: the loop cannot begin, and cof_stop() ends the
 * threads that run.
 */
int cof_stages_start(struct cof *cof);

/*
 * Make all of them and SAM, and start those that do not wait for the history.
 * 0 or a negative cof_err, with one line of COF_WHY_BYTES in `why` unless that
 * is NULL.
 */
int cof_stages_begin(struct cof *cof, char *why);

/* For cof_sampler_start(): what SAM calls when the loop begins late or ends. */
extern const struct cof_sampler_hooks cof_stages_sampler_hooks;
