/*
 * unwound.c - an unwinder that asks dl_iterate_phdr(3) for each function's
 * table comes to main()'s caller, and other callers are told of no new object
 *
 * cc: -lunwind
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <link.h>
#include <stdio.h>

#include "work.h"

#define RUN_MS 1500

static unsigned long walks, short_walks, unnamed_most, sum;

/* Above walk(): inner(), outer(), main() and its caller. */
#define FRAMES 4

__attribute__((noinline)) static void walk(void)
{
	unw_context_t context;
	unw_cursor_t cursor;
	int n = 0, more;

	unw_getcontext(&context);
	unw_init_local(&cursor, &context);
	while ((more = unw_step(&cursor)) > 0)
		n++;
	walks++;
	short_walks += more != 0 || n < FRAMES;
}

static int count_unnamed(struct dl_phdr_info *info, size_t bytes, void *n)
{
	(void)bytes;
	*(unsigned long *)n += info->dlpi_name[0] == '\0';
	return 0;
}

__attribute__((noinline)) static unsigned inner(unsigned i)
{
	unsigned did = work(3000 + i % 2);

	walk();
	return did;
}

__attribute__((noinline)) static unsigned outer(unsigned i)
{
	return inner(i) + 1;
}

int main(void)
{
	for (unsigned i = 0; clock() < RUN_MS * CLOCKS_PER_SEC / 1000; i++) {
		unsigned long unnamed = 0;

		sum += outer(i);
		dl_iterate_phdr(count_unnamed, &unnamed);
		if (unnamed > unnamed_most)
			unnamed_most = unnamed;
	}
	printf("%d walked, %lu too short, %lu without a name\n", walks > 0,
	       short_walks, unnamed_most);
	return 0;
}
