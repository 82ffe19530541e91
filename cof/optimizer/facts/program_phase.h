/*
 * program_phase.h - the phase that the program is in, as P/O sees it
 *
 * PRE determines the phase (predictor/phase.h). P/O reads it once a turn, so
 * that one turn works for one phase.
 *
 * Thread: P/O.
 */
#pragma once

#include <stdint.h>

struct cof;

/* As of P/O's latest turn; 0: between phases, or phases are not remembered
 * (cof->phase_reuse is NULL). */
uint32_t cof_program_phase_now(const struct cof *cof);

/* Number of phases begun so far; a phase that returns counts again. */
uint64_t cof_program_phase_begun(const struct cof *cof);
