/*
 * ours.h - libcof's threads, which Mono does not stop and of which no profiler hears
 *
 * They are attached to Mono (inmono.h), and it would suspend them with all others
 * where it looks at every stack: SIGQUIT, a debugger. It waits then until they are at
 * a safepoint of managed code, where they never are.
 */
#ifndef COFM_OURS_H
#define COFM_OURS_H

#include <stdbool.h>

/* The calling thread is one from now on, until it ends or is dropped. */
void cofm_ours_add(void);
void cofm_ours_drop(void);

/* Is the calling thread one? */
bool cofm_is_ours(void);

/* The name it has as a thread is what Mono's list of threads shows. Attached. */
void cofm_ours_name(void *internal_thread);

#endif /* COFM_OURS_H */
