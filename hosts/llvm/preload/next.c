/*
 * next.c - see next.h
 *
 * This library is initialized first (process/preload.c), so nobody calls a
 * stand-in before. In a process that runtime did not start they are called too.
 */
#include "preload/next.h"

struct next next;

void next_init(void)
{
#define NEXT(name) \
	next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name);
#include "preload/next.def"
}
