/*
 * version_record.h - the record of a version whose code is on its way out
 *
 *	RETIRED --unlink--> QUARANTINE --discard--> ... --is_unknown--> free
 *
 * The record outlives the code, since SAM, PRE and P/O hold plain pointers to it
 * until they have turned (instance.h has the letters).
 *
 * Thread: P/O, or whoever ends the instance.
 */
#ifndef COF_PATCHER_VERSION_RECORD_H
#define COF_PATCHER_VERSION_RECORD_H

#include <stdbool.h>

struct cof;
struct cof_version;

/*
 * Nobody is inside. Has SAM taken the samples from when somebody was? Without
 * locate() it does not matter: they are dropped. P/O.
 */
bool cof_version_record_is_drained(struct cof *cof, struct cof_version *version);

/* Out of the index: nobody is inside. Under the code lock. */
void cof_version_record_unlink(struct cof *cof, struct cof_version *version);

/* Tell the host, and forget how to unwind through it. */
void cof_version_record_discard(struct cof *cof, struct cof_version *version);

/* Does no stage hold a pointer to it any more? */
bool cof_version_record_is_unknown(struct cof *cof, struct cof_version *version);

void cof_version_record_free(struct cof *cof, struct cof_version *version);

#endif /* COF_PATCHER_VERSION_RECORD_H */
