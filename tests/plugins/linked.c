/*
 * linked.c - a library that calls the program it is linked with
 */
#include "names.h"

int both(int x) { return x; }
int both_var = 2;

int linked_sum(int x) { return host_add(x) + host_var; }
int linked_both(int x) { return both(x); }
int *linked_own(void) { return &host_own; }
int linked_both_var(void) { return both_var; }
int (*linked_address(void))(int) { return host_add; }

/* Before anything of the program ran. */
__attribute__((constructor)) static void begin(void)
{
	host_var = host_add(1) + host_twice(10);
}
