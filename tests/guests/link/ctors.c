/*
 * ctors.c - constructors and destructors by priority; .init_array arguments
 *
 * guest-args: one two
 */
#include <string.h>

#include "guest.h"

static uint64_t order = MIX0;

#define CTOR(name, priority) \
	__attribute__((constructor(priority))) static void name(void) \
	{ \
		order = mix(order, priority); \
		puts(#name); \
	} \
	__attribute__((destructor(priority))) static void un_##name(void) \
	{ \
		puts("un_" #name); \
	}

CTOR(late, 2000)
CTOR(early, 101)
CTOR(middle, 500)

__attribute__((constructor)) static void plain(int argc, char **argv,
					       char **env)
{
	/* glibc passes main's arguments. */
	printf("plain: %d, %s, %s\n", argc, argv[1], env ? "env" : "no env");
	order = mix(order, 65535);
}

__attribute__((destructor)) static void un_plain(void)
{
	puts("un_plain");
}

NOINLINE static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 3000; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static uint64_t round_(void) { return work(order); }

int main(int argc, char **argv)
{
	printf("main: %d, %s\n", argc, argv[1]);
	guest_run("ctors", round_);
	return 0;
}
