/*
 * phase_record.h - which phase of the program a version is for
 *
 * Thread: P/O. Rules are in optimizer/phases/phase_reuse.h.
 */
#ifndef COF_CODE_PHASE_RECORD_H
#define COF_CODE_PHASE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

struct cof_version_phase {
	uint32_t id;		/* that its profile is of; 0: not known */
	bool     parked;	/* for a phase to return; state is PARKED */
};

#endif /* COF_CODE_PHASE_RECORD_H */
