/*
 * collect.h - what an instance's run leaves, as of now
 */
#ifndef COF_HISTORY_COLLECT_H
#define COF_HISTORY_COLLECT_H

#include <stdbool.h>

#include "history/record.h"

struct cof;

/*
 * Fill in run, methods and phases of *record, whose constant parts (began, pid,
 * libcof, cpu, mode, verdict, loop) the caller has filled in. Takes the code
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
