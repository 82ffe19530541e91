/*
 * unwound.c - an unwinder that asks dl_iterate_phdr(3) for each function's
 * table comes to main()'s caller; other callers are told of no new object
 *
 * guest-hot:
 * guest-libs: -lunwind
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <link.h>

#include "guest.h"

#define FRAMES 4	/* at least: inner(), round_(), main(), its caller */

/* Does a walk from here come to the end? */
NOINLINE static int walk(void)
{
	unw_context_t context;
	unw_cursor_t cursor;
	int n = 0, more;

	unw_getcontext(&context);
	unw_init_local(&cursor, &context);
	while ((more = unw_step(&cursor)) > 0)
		n++;
	return more == 0 && n >= FRAMES;
}

static int count_unnamed(struct dl_phdr_info *info, size_t bytes, void *n)
{
	(void)bytes;
	*(uint64_t *)n += info->dlpi_name[0] == '\0';
	return 0;
}

NOINLINE static uint64_t inner(uint64_t x)
{
	for (int i = 0; i < 20; i++)
		x = guest_work(x);
	return x + (uint64_t)walk();
}

static uint64_t round_(void)
{
	uint64_t unnamed = 0;

	dl_iterate_phdr(count_unnamed, &unnamed);
	return mix(inner(MIX0), unnamed);
}

int main(void)
{
	guest_run("unwound", round_);
	return 0;
}
