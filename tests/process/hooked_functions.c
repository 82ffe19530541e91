/*
 * hooked_functions.c - a program writes to its functions' first bytes, as
 * hooking libraries do
 *
 * args: cold
 * args: hot
 * args: first
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define PAGE 4096ul
#define JUMP_BYTES 12

/* Room for a jump, in instructions that may be copied. */
#define FUNCTION(name, result)                                                 \
	__attribute__((noinline)) int name(int x)                              \
	{                                                                      \
		__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop;"     \
				 "nop; nop; nop; nop; nop; nop"                \
				 : "+r"(x));                                   \
		return result;                                                 \
	}
FUNCTION(target, x)
FUNCTION(neighbour, x + 1)
FUNCTION(other, x * 40)
FUNCTION(later, x + 2)

/* Called by a pointer only: natively not inlined, here maybe where its callers
 * have a profile. */
int pointed(int x)
{
	__asm__ volatile("nop; nop; nop; nop; nop; nop; nop; nop; nop; nop;"
			 "nop; nop" : "+r"(x));
	return x + 3;
}

typedef int function(int);
static function *volatile by_pointer = target;
static function *volatile to_pointed = pointed;
static function *original;	/* target, as it was */

__attribute__((noinline)) static int direct(int x)
{
	return target(x) + neighbour(x);
}

/* Natively nothing is inlined here. */
__attribute__((noinline)) static int twice(int x)
{
	return direct(x) + target(x);
}

__attribute__((noinline)) static int hook(int x)
{
	return 1000 + original(x) + neighbour(x);
}

static void set_rights(function *f, int rights)
{
	uintptr_t page = (uintptr_t)f & ~(PAGE - 1);

	if (mprotect((void *)page, 2 * PAGE, rights) != 0)
		exit(1);
}

static void write_jump(uint8_t *at, const void *to)
{
	uint8_t jump[JUMP_BYTES] = { 0x48, 0xb8, [10] = 0xff, 0xe0 };

	memcpy(jump + 2, &to, sizeof(to));
	memcpy(at, jump, sizeof(jump));
}

/* The length of an instruction, of those that functions here begin with. */
static size_t length(const uint8_t *at)
{
	if (at[0] == 0x90)
		return 1;			/* nop */
	if (at[0] == 0x89)
		return 2;			/* mov */
	if (at[0] == 0x49 && at[1] == 0xbb)
		return 10;			/* movabs */
	if (at[0] == 0x41 && at[1] == 0xff)
		return 3;			/* jmp */
	if (at[0] == 0x0f && at[1] == 0x1f)
		return 3;			/* nop */
	printf("%02x %02x\n", at[0], at[1]);
	exit(1);
}

/* Copy whole instructions that a jump would overwrite, with a jump behind
 * them to those that follow. */
static function *copy_first(function *f)
{
	uint8_t *room = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint8_t *from = (const uint8_t *)(uintptr_t)f;
	size_t n = 0;

	if (room == MAP_FAILED)
		exit(1);
	while (n < JUMP_BYTES)
		n += length(from + n);
	memcpy(room, from, n);
	from += n;
	memcpy(room + n, (uint8_t[]){ 0xff, 0x25, 0, 0, 0, 0 }, 6);
	memcpy(room + n + 6, &from, sizeof(from));	/* jmp *0(%rip) */
	return (function *)(uintptr_t)room;
}

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Long enough that callers have their callees inlined. */
__attribute__((noinline)) static long turn(void)
{
	long sum = 0;

	for (int i = 0; i < 2000; i++)
		sum += twice(i & 15) + to_pointed(i & 15);
	return sum;
}

static long stay(int ms)
{
	long until = cpu_ms() + ms, sum;

	do {
		sum = turn();
	} while (cpu_ms() < until);
	return sum;
}

static void show(const char *when)
{
	printf("%s: %d %d %d %d %d %d\n", when, target(5), by_pointer(5),
	       direct(5), twice(5), neighbour(5), to_pointed(5));
}

int main(int argc, char **argv)
{
	uint8_t was[JUMP_BYTES], *first = (uint8_t *)(uintptr_t)by_pointer;
	int ms = argc > 1 && strcmp(argv[1], "hot") == 0 ? 300 : 0;

	if (argc < 2)
		return 1;
	if (strcmp(argv[1], "first") != 0) {
		printf("%ld\n", stay(ms));
		show("before");
	}

	/* A hook that knows the function as it was. */
	set_rights(target, PROT_READ | PROT_WRITE | PROT_EXEC);
	memcpy(was, first, sizeof(was));
	original = copy_first(target);
	write_jump(first, (void *)(uintptr_t)hook);
	set_rights(target, PROT_READ | PROT_EXEC);
	show("hooked");
	printf("%d %ld\n", original(5), stay(ms));
	show("still hooked");
	printf("%d\n", memcmp(was, first, sizeof(was)) != 0);

	/* As before; and another one in its place. */
	set_rights(target, PROT_READ | PROT_WRITE | PROT_EXEC);
	set_rights(to_pointed, PROT_READ | PROT_WRITE | PROT_EXEC);
	write_jump((uint8_t *)(uintptr_t)to_pointed, (void *)(uintptr_t)other);
	memcpy(first, was, sizeof(was));
	show("as before");
	printf("%ld\n", stay(ms));
	write_jump(first, (void *)(uintptr_t)other);
	set_rights(target, PROT_READ | PROT_EXEC);
	show("other");
	printf("%ld %d\n", stay(ms), later(5));
	return 0;
}
