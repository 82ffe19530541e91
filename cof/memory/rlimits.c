/*
 * rlimits.c - see rlimits.h
 */
#include "memory/rlimits.h"

#include <sys/resource.h>

static uint64_t part_of(int what, uint64_t bytes, unsigned part)
{
	struct rlimit limit;

	if (getrlimit(what, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur / part)
		return bytes;
	return limit.rlim_cur / part;
}

uint64_t cof_rlimits_addresses(uint64_t bytes, unsigned part)
{
	return part_of(RLIMIT_AS, bytes, part);
}

uint64_t cof_rlimits_data(uint64_t bytes, unsigned part)
{
	return part_of(RLIMIT_DATA, cof_rlimits_addresses(bytes, part), part);
}
