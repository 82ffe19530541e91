/*
 * collect.h - collect a record of an instance's run so far
 */
#pragma once

#include <stdbool.h>

#include "history/store/record.h"

struct cof;

/* Set the parts of *record that stay: when, where and how the run began. All
 * else is 0. */
void cof_history_collect_begin(const struct cof *cof,
			       struct cof_history_record *record);

/*
 * Fill in the run, methods and phases of *record. The caller has set its
 * constant parts with cof_history_collect_begin(), and id, loop and verdict; it
 * frees the record with cof_history_record_free(). `began_ns` and
 * `began_cpu_ns` are the monotonic and the process CPU time at the run's begin.
 * False: no memory; what *record has is consistent.
 *
 * Takes the code lock for one look at every method. Then asks the host for
 * shapes and profiles of the hottest ones.
 *
 * Thread: P/O, or the one that ends the run.
 */
bool cof_history_collect(struct cof *cof, uint64_t began_ns,
			 uint64_t began_cpu_ns,
			 struct cof_history_record *record);
