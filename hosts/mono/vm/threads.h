/*
 * threads.h - attach the program's threads to libcof, and detach them
 */
#ifndef COFM_VM_THREADS_H
#define COFM_VM_THREADS_H

struct cofm;

/* Attach every thread that Mono reports. Each is detached when it ends. */
void cofm_threads_follow(struct cofm *host);

#endif /* COFM_VM_THREADS_H */
