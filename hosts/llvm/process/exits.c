/*
 * exits.c - the stand-ins for _exit(2): no exit handler runs, so libcof is told
 * here
 */
#include "preload/native.h"
#include "preload/rtld_next.h"

STAND_IN
void _exit(int status)
{
	const struct cofl_events *events = native_events();

	if (events != NULL && events->exits_async_safe != NULL)
		events->exits_async_safe();
	rtld_next._exit(status);
	__builtin_unreachable();
}

void _Exit(int status) __attribute__((noreturn));

STAND_IN
void _Exit(int status)
{
	_exit(status);
}
