/*
 * cctors.h - class constructors run when the program runs, on its threads
 */
#ifndef COFM_CCTORS_H
#define COFM_CCTORS_H

#include <stdbool.h>

/*
 * Between these two Mono's compiler, on this thread, finds no constructor to run:
 * what it compiles for a class that is not initialized yet fails, or is not
 * inlined. _end() says whether there was one that it failed for: later it may not.
 */
void cofm_cctors_begin(void);
bool cofm_cctors_end(void);

#endif /* COFM_CCTORS_H */
