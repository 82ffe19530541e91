/*
 * descriptors.c - numbers of descriptors are the program's alone: open() gives
 * the lowest that it has free, whatever else goes on in the process
 *
 * guest-hot:
 */
#include <fcntl.h>
#include <unistd.h>

#include "guest.h"

NOINLINE static uint64_t take(uint64_t h)
{
	int a = open("/dev/null", O_RDONLY), b = dup(a);

	h = mix(h, (uint64_t)a << 32 | (unsigned)b);
	close(a);
	close(b);
	return h;
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (int i = 0; i < 50; i++) {
		h = take(h);
		h = guest_work(h);
	}
	return h;
}

int main(void)
{
	guest_run("descriptors", round_);
	return 0;
}
