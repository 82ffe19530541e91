/*
 * unload.h - application domains go, and with them all that was compiled for
 * them
 */
#pragma once

struct cofm;

/* From now on the loop lets go of each domain that Mono is about to free. */
void cofm_unload_follow(struct cofm *host);
