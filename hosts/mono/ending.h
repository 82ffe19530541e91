/*
 * ending.h - the loop ends before Mono does
 */
#ifndef COFM_ENDING_H
#define COFM_ENDING_H

struct cofm;

/* Once, with a profiler: `ended` is called when the loop has ended, unless Mono ends
 * without shutting down; NULL: nobody wants to know. */
void cofm_ending_follow(struct cofm *host, void (*ended)(struct cofm *host));

#endif /* COFM_ENDING_H */
