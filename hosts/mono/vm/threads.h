/*
 * threads.h - attach the program's threads to libcof, and detach them
 */
#pragma once

struct cofm;

/* Attach every thread that Mono reports. Each is detached when it ends. */
void cofm_threads_follow(struct cofm *host);
