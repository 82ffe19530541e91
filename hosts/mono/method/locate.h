/*
 * locate.h - find the method whose code is at an address
 */
#pragma once

struct cofm;

/* cof_host's locate(). */
int cofm_locate(void *ctx, const void *ip);

/* For mode pgo, which samples nothing: add each method as soon as Mono has
 * compiled it. Methods of images stay unknown, since Mono does not report that
 * they run. */
void cofm_locate_all(struct cofm *host);
