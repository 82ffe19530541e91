/*
 * call_failed.c - see call_failed.h
 */
#include "preload/call_failed.h"

#include <errno.h>

long call_failed(long result)
{
	errno = (int)-result;
	return -1;
}
