/*
 * stages.h - the stages of an instance, but for SAM, which feeds them
 *
 * They are made before SAM, and have their threads before it takes a sample. While
 * mode auto waits whether a program is worth a look at its history there is SAM's
 * alone: a program that is over at once pays for one thread.
 */
#ifndef COF_API_STAGES_H
#define COF_API_STAGES_H

#include "sampler/sampler.h"

struct cof;

/* Audit, phases, P/O, and PRE, which mode pgo does without; cof_free() frees what was
 * made. 0 or -COF_E_NOMEM. */
int cof_stages_new(struct cof *cof);

/* Their threads: once, by the thread that makes the instance or, if it was put off,
 * by SAM. 0 or -COF_E_NOMEM: the loop cannot begin; what runs is ended by
 * cof_stop(). */
int cof_stages_start(struct cof *cof);

/* For cof_sampler_start(): how the loop begins late, and what ends it. */
extern const struct cof_sampler_hooks cof_stages_sampler_hooks;

#endif /* COF_API_STAGES_H */
