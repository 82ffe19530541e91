/*
 * hooked_while_running.c - functions are hooked and unhooked while another
 * thread calls them all the time
 *
 * A hook is one store of two bytes, a short jump to room in the function. A
 * turn of calls that begins once the hook is there, and ends before it goes,
 * meets it in each call; and the function itself in each when there is none.
 *
 * args: direct
 * args: pointer
 */
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE       4096ul
#define ROOM_BYTES 14
#define CALLS      500		/* in a turn */
#define TURNS      20		/* complete ones for each change */
#define CHANGES    60
#define HOT_MS     1200

#define FUNCTION(attributes, name, result)                                     \
	attributes int name(int x)                                             \
	{                                                                      \
		__asm__ volatile("jmp 1f; .fill 14, 1, 0xcc; 1:" : "+r"(x));   \
		return result;                                                 \
	}

/* What is hooked has pages of its own, so that its callers are not left alone
 * with it. */
#define FILL(name)                                                             \
	__attribute__((noinline, used)) void name(void)                        \
	{                                                                      \
		__asm__ volatile(".fill 8192, 1, 0x90");                       \
	}

FILL(fill_before)
FUNCTION(__attribute__((noinline)), target, x)
FUNCTION(, pointed, x)
FILL(fill_behind)
FUNCTION(__attribute__((noinline)), neighbour, x)

static int hook(int x)
{
	return x + 1000;
}

typedef int function(int);
static function *volatile by_pointer = pointed;
static int is_direct;

/* Even: the function is as it was; odd: hooked. `changing` is ahead of `now`
 * while it changes. */
static _Atomic int  changing, now;
static _Atomic long complete[2], wrong;
static _Atomic int  over;

__attribute__((noinline)) static long turn(void)
{
	long sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += (is_direct ? target(i & 15) : by_pointer(i & 15)) +
		       neighbour(i & 15);
	return sum;
}

static long right_sum(int hooked)
{
	long sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += 2 * (i & 15) + (hooked ? 1000 : 0);
	return sum;
}

static void *run(void *unused)
{
	while (!over) {
		int before = now;
		long sum = turn();

		if (changing == before && sum != right_sum(before & 1))
			wrong++;
		if (changing == before)
			complete[before & 1]++;
		if (sum < right_sum(0) || sum > right_sum(1))
			wrong++;
	}
	return unused;
}

static long cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void wait_for_turns(int hooked, long n)
{
	long until = complete[hooked] + n;

	while (complete[hooked] < until)
		sched_yield();
}

static uint8_t *room_of(uint8_t *at)
{
	for (int i = 0; i < 64; i++) {
		int n = 0;

		while (n < ROOM_BYTES && at[i + n] == 0xcc)
			n++;
		if (n == ROOM_BYTES)
			return at + i;
	}
	exit(1);
}

static void set_rights(uint8_t *at, int rights)
{
	uintptr_t page = (uintptr_t)at & ~(PAGE - 1);

	if (mprotect((void *)page, 2 * PAGE, rights) != 0)
		exit(1);
}

/* One store in one line: functions are 16-aligned. All threads run it once the
 * barrier has returned. */
static void change(uint8_t *at, uint16_t to)
{
	changing++;
	set_rights(at, PROT_READ | PROT_WRITE | PROT_EXEC);
	__atomic_store_n((uint16_t *)(void *)at, to, __ATOMIC_SEQ_CST);
	set_rights(at, PROT_READ | PROT_EXEC);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0,
		0);
	now = changing;
}

int main(int argc, char **argv)
{
	uint8_t jump[12] = { 0x48, 0xb8, [10] = 0xff, 0xe0 }, *at, *room;
	void *to = (void *)(uintptr_t)hook;
	uint16_t was, hooked;
	pthread_t thread;
	long until;

	if (argc < 2)
		return 1;
	is_direct = strcmp(argv[1], "direct") == 0;
	at = (uint8_t *)(uintptr_t)(is_direct ? target : pointed);
	syscall(SYS_membarrier,
		MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	if (pthread_create(&thread, NULL, run, NULL) != 0)
		return 1;
	for (until = cpu_ms() + HOT_MS; cpu_ms() < until; )
		wait_for_turns(0, TURNS);

	/* The room is written before anything leads there. */
	set_rights(at, PROT_READ | PROT_WRITE | PROT_EXEC);
	room = room_of(at);
	memcpy(jump + 2, &to, sizeof(to));
	memcpy(room, jump, sizeof(jump));
	memcpy(&was, at, sizeof(was));
	hooked = (uint16_t)(0xeb | (room - at - 2) << 8);
	for (int i = 1; i <= CHANGES; i++) {
		change(at, i & 1 ? hooked : was);
		wait_for_turns(i & 1, TURNS);
	}
	over = 1;
	pthread_join(thread, NULL);
	printf("%ld %d\n", wrong, memcmp(&was, at, sizeof(was)));
	return 0;
}
