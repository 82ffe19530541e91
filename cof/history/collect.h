/*
 * collect.h - what an instance's run leaves, as of now
 */
#ifndef COF_HISTORY_COLLECT_H
#define COF_HISTORY_COLLECT_H

#include <stdbool.h>

#include "history/store/record.h"

struct cof;

/* The parts of a record that stay: all 0 but what began just now, and where. */
void cof_history_collect_begin(const struct cof *cof,
			       struct cof_history_record *record);

/*
 * Fill in run, methods and phases of *record, whose constant parts are those of
 * cof_history_collect_begin(); the caller sees to id, loop and verdict. Takes the code
 * lock for as long as it takes to look at every method once; then asks the host
 * for shapes and profiles of the hottest. False: no memory; what there is is
 * consistent.
 *
 * Thread: P/O, or who ends the run.
 */
bool cof_history_collect(struct cof *cof, uint64_t began_ns,
			 uint64_t began_cpu_ns,
			 struct cof_history_record *record);

#endif /* COF_HISTORY_COLLECT_H */
