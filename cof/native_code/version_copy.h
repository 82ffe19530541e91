/*
 * version_copy.h - the copy of a first version whose address callers keep
 *
 *	callers --> entry of version 0: jmp --> stub --> its copy
 *	                                            \--> or a later version
 *
 * A host whose compiler hands out bare entries (Mono) can only retarget the
 * entry itself. Once a jump is there, the version cannot be entered any more.
 * So the host compiles it twice. From then on callers run the copy whenever
 * version 0 is current: in a trial, after a rollback, for a phase.
 *
 * The copy has a record of its own, for the index, which never becomes current.
 * Its samples are credited to version 0 (sampler/credit.c). Threads may stay in
 * either body for any time, so neither is freed, and reclaim does not count
 * version 0 as retired. That ends when the method is unloaded
 * (patcher/method_unload.h).
 */
#pragma once

struct cof_method;

/* Free the method's copy, if there is one, when the instance is freed. */
void cof_version_copy_free(struct cof_method *method);
