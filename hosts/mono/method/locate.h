/*
 * locate.h - find the method whose code is at an address
 */
#ifndef COFM_METHOD_LOCATE_H
#define COFM_METHOD_LOCATE_H

struct cofm;

/* cof_host's locate(). */
int cofm_locate(void *ctx, const void *ip);

/* For mode pgo, which samples nothing: add each method as soon as Mono has
 * compiled it. Methods of images stay unknown, since Mono does not report that
 * they run. */
void cofm_locate_all(struct cofm *host);

#endif /* COFM_METHOD_LOCATE_H */
