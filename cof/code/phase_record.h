/*
 * phase_record.h - which phase of the program a version is for
 *
 * Thread: P/O. The rules are in optimizer/phases/phase_reuse.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cof_version_phase {
	uint32_t id;		/* of its profile; 0: not known */
	bool     parked;	/* until the phase returns; state is PARKED */
};
