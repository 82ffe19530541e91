/*
 * moved_code.c - a program moves hot code of its own to other pages, as
 * libraries do for large ones, and writes to it there
 *
 * args: saved
 * args: swapped
 * args: written
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ul

/* What is moved has pages of its own: nothing runs there meanwhile. */
#define FILL(name)                                                             \
	__attribute__((noinline, used)) void name(void)                        \
	{                                                                      \
		__asm__ volatile(".fill 8192, 1, 0x90");                       \
	}

FILL(fill_before)
__attribute__((noinline)) int moved(int x)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop" : "+r"(x));
	return x + 1;
}
FILL(fill_behind)

typedef int function(int);
static function *volatile by_pointer = moved;

__attribute__((noinline)) static long turn(void)
{
	long sum = 0;

	for (int i = 0; i < 2000; i++)
		sum += moved(i & 15) + by_pointer(i & 15);
	return sum;
}

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static long stay(int ms)
{
	long until = cpu_ms() + ms, sum;

	do {
		sum = turn();
	} while (cpu_ms() < until);
	return sum;
}

/* The bytes were read before anybody could know what for. */
static void move_saved(uint8_t *page)
{
	static uint8_t saved[2 * PAGE];

	memcpy(saved, page, sizeof(saved));
	if (mmap(page, sizeof(saved), PROT_READ | PROT_WRITE | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != page)
		exit(1);
	memcpy(page, saved, sizeof(saved));
}

/* No access at all for a while. */
static void move_swapped(uint8_t *page)
{
	static uint8_t saved[2 * PAGE];

	if (mprotect(page, sizeof(saved), PROT_NONE) != 0 ||
	    mprotect(page, sizeof(saved), PROT_READ | PROT_WRITE) != 0)
		exit(1);
	memcpy(saved, page, sizeof(saved));
	memset(page, 0xcc, sizeof(saved));
	memcpy(page, saved, sizeof(saved));
	if (mprotect(page, sizeof(saved),
		     PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
		exit(1);
}

/* It stays where it is. */
static void make_writable(uint8_t *page)
{
	if (syscall(SYS_mprotect, page, 2 * PAGE,
		    PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
		exit(1);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	uint8_t *at = (uint8_t *)(uintptr_t)by_pointer;
	uint8_t *page = (uint8_t *)((uintptr_t)at & ~(PAGE - 1));

	printf("%ld\n", stay(300));
	if (strcmp(how, "saved") == 0)
		move_saved(page);
	else if (strcmp(how, "swapped") == 0)
		move_swapped(page);
	else
		make_writable(page);
	printf("%ld %d\n", stay(300), moved(5));
	/* mov $7, %eax; ret */
	memcpy(at, (uint8_t[]){ 0xb8, 7, 0, 0, 0, 0xc3 }, 6);
	printf("%ld %d %d\n", stay(300), moved(5), by_pointer(5));
	return 0;
}
