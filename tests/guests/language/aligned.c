/*
 * aligned.c - variables that ask for more than a page
 */
#include "guest.h"

_Alignas(65536) char large[100];
_Alignas(8192) int written = 3;
_Alignas(16384) const int constant = 4;
_Alignas(4096) _Thread_local int local = 9;
static struct { } empty;
static char none[0];

static int off(const volatile void *p, uintptr_t align)
{
	uintptr_t volatile at = (uintptr_t)p;

	return (int)(at % align);
}

int main(void)
{
	printf("%d %d %d %d\n", off(large, 65536), off(&written, 8192),
	       off(&constant, 16384), off(&local, 4096));
	printf("%d %d\n", off(&empty, 1), off(none, 1));
	return 0;
}
