/*
 * program_phase.h - the phase that the program is in, as P/O sees it
 *
 * PRE says which phase the program is in (predictor/phase.h); P/O takes that
 * over once a turn, so that all it does in one turn is for the same phase.
 *
 * Thread: P/O.
 */
#ifndef COF_OPTIMIZER_FACTS_PROGRAM_PHASE_H
#define COF_OPTIMIZER_FACTS_PROGRAM_PHASE_H

#include <stdint.h>

struct cof;

/* As of P/O's latest turn; 0: between phases, or nobody remembers any
 * (cof->phases is NULL). */
uint32_t cof_program_phase_now(const struct cof *cof);

/* How many phases the program has begun so far, with those that returned. */
uint64_t cof_program_phase_begun(const struct cof *cof);

#endif /* COF_OPTIMIZER_FACTS_PROGRAM_PHASE_H */
