/*
 * cctors.h - keep class constructors off libcof's threads
 */
#pragma once

#include <stdbool.h>

/*
 * Between these two Mono's compiler runs no class constructor on this thread.
 * What it compiles for a class that is not initialized yet fails, or is not
 * inlined. _end() says whether there was such a class; if so, a later try may
 * succeed.
 */
void cofm_cctors_begin(void);
bool cofm_cctors_end(void);
