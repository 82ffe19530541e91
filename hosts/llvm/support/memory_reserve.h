/*
 * memory_reserve.h - what the program goes on with once memory is refused
 *
 * A limit may come into force while the program runs (setrlimit(2), a cgroup),
 * or be met by what the builds took. The program has to go on, and for that the
 * host needs some memory still, for records. So there is a reserve: a mapping
 * that nobody touches, and that takes no memory, but counts against the limits.
 * It is given back when memory is refused for the first time. From then on
 * nothing is built.
 *
 * Process-wide: one mapping, for as long as the process lives. In a fork's
 * child there is one if there was one in the parent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* At the start of the process, by one thread. Without memory for it, or under a
 * limit that leaves little, there is none. */
void cofl_memory_reserve_begin(void);

/* Would the process get so much more now? Blocks briefly. Thread: any. */
bool cofl_memory_reserve_has_room(size_t mb);

/* Memory was refused: give the reserve back. True: now it was, so the caller
 * tries once more. Thread: any; also in signal handlers. */
bool cofl_memory_reserve_release(void);

/* Memory was refused to something that the program can do without. The reserve
 * stays. Thread: any. */
void cofl_memory_reserve_refused(void);

/* Was memory refused? Thread: any. */
bool cofl_memory_reserve_is_short(void);

#ifdef __cplusplus
}
#endif
