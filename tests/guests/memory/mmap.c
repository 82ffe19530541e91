/*
 * mmap.c - the program maps, protects, runs and unmaps memory of its own
 *
 * It writes machine code itself, and takes big and awkward pieces of the
 * address space, as a JIT inside the program would.
 *
 * guest-hot:
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "guest.h"

typedef uint64_t made(uint64_t, uint64_t (*)(uint64_t));

NOINLINE static uint64_t callback(uint64_t x) { return mix(x, 11); }

/* lea (%rdi,%rdi,4),%rdi; sub $8,%rsp; call *%rsi; add $8,%rsp; ret */
static const unsigned char code[] = {
	0x48, 0x8d, 0x3c, 0xbf, 0x48, 0x83, 0xec, 0x08, 0xff, 0xd6,
	0x48, 0x83, 0xc4, 0x08, 0xc3,
};

static uint64_t round_(void)
{
	uint64_t h = MIX0;
	made *f;
	char *p;

	for (int i = 0; i < 20; i++) {
		p = mmap(NULL, 4096 * 3, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (p == MAP_FAILED)
			return 1;
		memcpy(p, code, sizeof(code));
		if (mprotect(p, 4096, PROT_READ | PROT_EXEC))
			return 2;
		f = (made *)(uintptr_t)p;
		for (uint64_t k = 0; k < 200; k++)
			h = mix(h, f(k, callback));
		munmap(p, 4096 * 3);
	}
	return h;
}

int main(void)
{
	size_t gb = 1u << 30;
	char name[] = "/tmp/guest-mmap-XXXXXX", *p;
	int fd = mkstemp(name);

	p = mmap(NULL, 64 * gb, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
		 MAP_NORESERVE, -1, 0);
	puts(p != MAP_FAILED ? "64 GB reserved" : "no room");
	guest_run("mmap", round_);
	munmap(p, 64 * gb);
	unlink(name);
	if (fd < 0 || ftruncate(fd, 8192))
		return 1;
	p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	strcpy(p + 4096, "through the file");
	lseek(fd, 4096, SEEK_SET);
	if (read(fd, name, 16) == 16)
		printf("%.16s\n", name);
	printf("unaligned: %d\n", mprotect(p + 1, 1, PROT_READ) < 0 &&
	       errno == EINVAL);
	p = sbrk(0);
	printf("brk %s\n", sbrk(8192) == p && (char *)sbrk(-8192) == p + 8192 ?
	       "moves" : "fails");
	return 0;
}
