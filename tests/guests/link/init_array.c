/*
 * init_array.c - functions that run before and after main() by their section
 */
#include "guest.h"

#define IN(name) __attribute__((section(name), used))

static void very_early(void) { puts("very early"); }
static void by_hand(int argc, char **argv)
{
	printf("by hand, %d %d\n", argc, argv[0] != NULL);
}
static void numbered(void) { puts("numbered"); }
static void at_end(void) { puts("at end"); }

IN(".preinit_array") static void (*const a)(void) = very_early;
IN(".init_array") static void (*const b)(int, char **) = by_hand;
IN(".init_array.00200") static void (*const d)(void) = numbered;
IN(".fini_array") static void (*const e)(void) = at_end;

__attribute__((constructor(300))) static void p300(void) { puts("300"); }
__attribute__((constructor(150))) static void p150(void) { puts("150"); }
__attribute__((constructor)) static void plain(void) { puts("plain"); }
__attribute__((destructor)) static void end(void) { puts("end"); }

int main(void)
{
	puts("main");
	return 0;
}
