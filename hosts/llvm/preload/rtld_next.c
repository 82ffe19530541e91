/*
 * rtld_next.c - see rtld_next.h
 *
 * This library is initialized first (process/preload.c), so nobody calls a
 * stand-in before. In a process that runtime did not start they are called too.
 */
#include "preload/rtld_next.h"

struct rtld_next rtld_next;

void rtld_next_init(void)
{
#define NEXT(name) \
	rtld_next.name = (__typeof__(rtld_next.name))dlsym(RTLD_NEXT, #name);
#include "preload/rtld_next.def"
}
