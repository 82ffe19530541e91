/*
 * record.h - MonoJitInfo, what Mono knows of a body
 *
 * An exception holds on to the records of the bodies it went through for as long
 * as it lives, and Mono reads them when its stack trace is asked for. So a record
 * that a stack walk came across outlives its body; some 100 bytes stay.
 */
#ifndef COFM_RECORD_H
#define COFM_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "host.h"

/* It is of a body that may be freed. Before anybody can be in that. */
void cofm_record_begin(MonoJitInfo *record);

bool cofm_record_is_ours(const MonoJitInfo *record);

/*
 * Mono looks at it, any thread, often. That is more than stack walks: who calls a
 * method for the first time is looked up too.
 */
void cofm_record_walked(MonoJitInfo *record);

/*
 * Take it out of Mono's table: the code is about to be freed, and nobody is in
 * it. True: it was freed; false: it stays, for stack traces. Inside cofm_enter().
 */
bool cofm_record_end(struct cofm *host, MonoJitInfo *record);

/* How many stayed. */
uint64_t cofm_records_kept(void);

#endif /* COFM_RECORD_H */
