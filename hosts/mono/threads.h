/*
 * threads.h - threads of the program's, to libcof and back
 */
#ifndef COFM_THREADS_H
#define COFM_THREADS_H

struct cofm;

/* Every thread that Mono tells of is attached, and detached when it ends. */
void cofm_threads_follow(struct cofm *host);

#endif /* COFM_THREADS_H */
