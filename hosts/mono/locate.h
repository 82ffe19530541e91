/*
 * locate.h - whose code is at this address?
 */
#ifndef COFM_LOCATE_H
#define COFM_LOCATE_H

struct cofm;

/* cof_host's locate(). */
int cofm_locate(void *ctx, const void *ip);

/* In mode pgo, where nothing is sampled: methods are known as soon as Mono has
 * compiled them. Those of images are not, for nobody says that they run. */
void cofm_locate_all(struct cofm *host);

#endif /* COFM_LOCATE_H */
