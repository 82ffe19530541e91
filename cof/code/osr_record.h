/*
 * osr_record.h - who is still in a version that was replaced
 *
 * Thread: P/O. Rules are in optimizer/osr/osr.h.
 */
#ifndef COF_CODE_OSR_RECORD_H
#define COF_CODE_OSR_RECORD_H

#include <stdbool.h>

struct cof_version;

struct cof_version_osr {
	struct cof_version *continuations;	/* of its loops, linked by: */
	struct cof_version *next;		/* [code] too */
	bool                watched;	/* threads may stay in it */
	bool                vacated;	/* though current: its time goes by in
					 * the latest continuation */
	bool                held;	/* a worker builds a continuation: its
					 * code may not go meanwhile */
	bool                entered;	/* a continuation that was sampled */
};

#endif /* COF_CODE_OSR_RECORD_H */
