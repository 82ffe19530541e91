/*
 * plug.c - what the program opens
 */
#include <stddef.h>

#include "names.h"

extern int nobodys(int x) __attribute__((weak));

static int read_var(void) { return host_var; }
static int call(int x) { return host_twice(host_add(x)); }
static int hooked(int x) { return host_hook(x); }
static int missing(void) { return nobodys == NULL; }
static const char *word(void) { return host_names[2]; }
static int *own(void) { return &host_own; }
static int *zero(void) { return &host_zero; }
static void write_var(int x) { host_var = x; }

struct plug plug = {
	.read = read_var, .call = call, .hooked = hooked, .missing = missing,
	.function = host_add, .alias = host_alias, .variable = &host_var,
	.word = word, .write = write_var, .ifunc = host_ifunc,
	.own = own, .zero = zero,
};

__attribute__((constructor)) static void begin(void)
{
	plug.began = host_add(100);
}
