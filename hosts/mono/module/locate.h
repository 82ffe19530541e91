/*
 * locate.h - find the method at an address, by Mono's public interface
 */
#ifndef COFM_MODULE_LOCATE_H
#define COFM_MODULE_LOCATE_H

/* cof_host's locate(). */
int cofm_module_locate(void *ctx, const void *ip);

#endif /* COFM_MODULE_LOCATE_H */
