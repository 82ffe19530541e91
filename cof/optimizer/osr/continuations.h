/*
 * continuations.h - the continuations of a version, and how long they are kept
 *
 * A continuation is PARKED as long as frames can come from the version that it
 * was made for, or a trial of loops has it. Then it is retired like any other.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_version;
struct cof_version_desc;

/*
 * Frames may be in the continuation by now, so it is never given back to the
 * host. NULL: there is no memory for its record, and it is lost.
 */
struct cof_version *cof_continuations_add(struct cof *cof,
					  struct cof_version *from,
					  const struct cof_version_desc *desc);

/* Nothing leads from `from` to `continuation`, one of its own: retire it. */
void cof_continuations_drop(struct cof_version *from,
			    struct cof_version *continuation);

/* A trial has had it. It is retired if what it was made for is gone. [code] */
void cof_continuations_let_go(struct cof *cof,
			      struct cof_version *continuation);

/* No thread is in `version` any more, or can come from it. [code] */
void cof_continuations_gone(struct cof *cof, struct cof_version *version);

/* Frames in `v` are led nowhere any more, and the host listens for none. */
void cof_continuations_stay(struct cof *cof, const struct cof_version *v);

/* Both are from osr_try(): frames in `from` are led to `to`, and stay there. */
void cof_continuations_lead(struct cof *cof, const struct cof_version *from,
			    const struct cof_version *to);
