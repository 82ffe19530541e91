/*
 * version_record.h - the record of a version whose code is being freed
 *
 *	RETIRED --unlink--> QUARANTINE --discard--> ... --is_unknown--> free
 *
 * The record outlives the code: SAM, PRE and P/O hold plain pointers to it
 * until each has turned (the letters are in instance.h).
 *
 * Thread: P/O, or the thread that ends the instance.
 */
#pragma once

#include <stdbool.h>

struct cof;
struct cof_version;

/*
 * No thread is inside. Has SAM taken the samples from when a thread was?
 * Without locate() they do not matter: they are dropped, and this returns true.
 * P/O.
 */
bool cof_version_record_is_drained(struct cof *cof,
				   struct cof_version *version);

/* Take it out of the index; no thread is inside. Under the code lock. */
void cof_version_record_unlink(struct cof *cof, struct cof_version *version);

/* Tell the host, and remove the unwind tables. */
void cof_version_record_discard(struct cof *cof, struct cof_version *version);

/* Have all stages dropped their pointers to it? */
bool cof_version_record_is_unknown(struct cof *cof,
				   struct cof_version *version);

void cof_version_record_free(struct cof *cof, struct cof_version *version);
