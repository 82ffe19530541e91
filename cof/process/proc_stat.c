/*
 * proc_stat.c - see proc_stat.h
 */
#include "process/proc_stat.h"

#include <stddef.h>
#include <string.h>

/* The second field, a name, may have anything in it, and ends with the last
 * ')'. */
const char *cof_proc_stat_field(const char *text, int number)
{
	const char *at = strrchr(text, ')');

	for (int i = 2; at != NULL && i < number; i++)
		at = strchr(at + 1, ' ');
	return at != NULL ? at + 1 : "";
}
