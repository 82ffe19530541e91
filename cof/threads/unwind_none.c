/*
 * unwind_none.c - unwind.h without libunwind: no tables, frame pointers only
 */
#include "threads/unwind.h"

#include "cof.h"

bool cof_unwind_open(void)
{
	return false;
}

int cof_unwind_add(const void *start, const void *end, const void *eh_frame,
		   size_t bytes)
{
	(void)start;
	(void)end;
	(void)eh_frame;
	(void)bytes;
	return -COF_E_STATE;
}

void cof_unwind_remove(const void *start)
{
	(void)start;
}

void cof_unwind_in_child(bool walked)
{
	(void)walked;
}

int cof_unwind_step(struct cof_frame *f, bool call, uint64_t hi)
{
	(void)f;
	(void)call;
	(void)hi;
	return 0;
}
