/*
 * tls.c - thread-local variables are the executable's own; see link/tls.h
 */
#include "link/tls.h"

#include "native/tls.h"

static intptr_t distance;

void cofl_tls_native(intptr_t from_thread_pointer)
{
	distance = from_thread_pointer;
}

intptr_t cofl_tls_distance(void)
{
	return distance;
}

bool cofl_tls_in_room(void)
{
	return true;
}

void cofl_tls_thread_begin(void)
{
}

/* A library's. */
int cofl_tls_of_process(const char *name, struct cofl_tls_index *out)
{
	(void)name;
	(void)out;
	return -1;
}
