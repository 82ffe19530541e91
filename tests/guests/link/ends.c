/*
 * ends.c - the bounds that linkers define, end(3), around what is in between
 *
 * guest-hot:
 */
#include <stdlib.h>
#include <string.h>

#include "guest.h"

extern char etext, edata, end, _etext, _edata, _end;
extern char __data_start, data_start, __bss_start;

static unsigned zeros[1000], contents[1000] = { 1, 2, 3 };
static unsigned *pointers[] = { zeros, contents };
static const char text[] = "a constant";

static int within(const void *p, const char *from, const char *to)
{
	return (const char *)p >= from && (const char *)p < to;
}

/* What a conservative garbage collector does: look at all variables. */
NOINLINE static unsigned roots(const char *from, const char *to, const void *of)
{
	unsigned n = 0;

	for (const char *p = from; p + sizeof(of) <= to; p += sizeof(of))
		n += memcmp(p, &of, sizeof(of)) == 0;
	return n;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	h = mix(h, within(contents, &__data_start, &edata));
	h = mix(h, within(pointers, &data_start, &_edata));
	h = mix(h, within(zeros, &__bss_start, &end));
	h = mix(h, within(zeros, &etext, &edata));
	h = mix(h, &edata <= &__bss_start && &_end >= &_edata);
	h = mix(h, &etext < &edata && &etext == &_etext);
	h = mix(h, within(text, &__data_start, &end));
	h = mix(h, roots(&__data_start, &edata, contents) > 0);
	pointers[0] = pointers[0] == zeros ? contents : zeros;
	return h;
}

int main(void)
{
	void *heap = malloc(100);

	guest_run("ends", round_);
	printf("%d %d\n", within(heap, &etext, &end),
	       within(text, &__data_start, &end));
	printf("%d %d %d\n", within(contents, &__data_start, &edata),
	       within(zeros, &edata, &end), within(zeros, &etext, &edata));
	free(heap);
	return 0;
}
