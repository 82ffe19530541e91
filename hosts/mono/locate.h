/*
 * locate.h - whose code is at this address?
 */
#ifndef COFM_LOCATE_H
#define COFM_LOCATE_H

/* cof_host's locate(). */
int cofm_locate(void *ctx, const void *ip);

#endif /* COFM_LOCATE_H */
