/*
 * unwind_tables.c - libgcc's registry, which no header declares
 */
#include "link/unwind_tables.h"

extern void __register_frame(void *eh_frame);
extern void __deregister_frame(void *eh_frame);

void cofl_unwind_tables_add(void *eh_frame, const void *start, size_t bytes)
{
	(void)start;
	(void)bytes;
	__register_frame(eh_frame);
}

void cofl_unwind_tables_remove(void *eh_frame)
{
	__deregister_frame(eh_frame);
}
