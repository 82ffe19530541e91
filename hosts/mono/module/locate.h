/*
 * locate.h - find the method at an address, by Mono's public interface
 */
#pragma once

/* cof_host's locate(). */
int cofm_module_locate(void *ctx, const void *ip);
