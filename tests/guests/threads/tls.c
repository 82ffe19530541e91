/*
 * tls.c - thread-local variables: zeroed, initialized, aligned, addresses kept
 *
 * guest-hot:
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "guest.h"

static _Thread_local uint64_t zeroed;
_Thread_local uint64_t initialized = 0x123456789;
static _Thread_local struct { char name[20]; int n; } record = { "record", 7 };
static _Thread_local _Alignas(64) unsigned char aligned[192];
static _Thread_local char big[20000];
static _Thread_local uint64_t *own = NULL;
static _Thread_local int (*hook)(int);

static int times_three(int x) { return x * 3; }

NOINLINE static uint64_t touch(uint64_t x)
{
	zeroed += x;
	initialized = mix(initialized, zeroed);
	record.n ^= (int)x;
	aligned[x % 192]++;
	big[x * 31 % sizeof(big)] ^= (char)x;
	return initialized ^ (uint64_t)record.n ^ aligned[x % 192] ^
	       (uint64_t)big[x % sizeof(big)];
}

NOINLINE static uint64_t *address(void) { return &zeroed; }

NOINLINE static int fails(int n)
{
	errno = n;
	return errno;
}

static void *thread(void *arg)
{
	uint64_t h = (uint64_t)(uintptr_t)arg, *before = address();

	if (zeroed || strcmp(record.name, "record") || own || hook ||
	    (uintptr_t)aligned % 64)
		return (void *)1;
	own = &initialized;
	hook = times_three;
	for (uint64_t i = 0; i < 2000; i++) {
		h = mix(h, touch(i) + (uint64_t)fails((int)i));
		h += *own + (uint64_t)hook((int)i);
	}
	if (before != address())
		return (void *)2;
	return (void *)(uintptr_t)h;
}

static uint64_t round_(void)
{
	pthread_t t[4];
	uint64_t h = MIX0;
	void *got;

	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int i = 0; i < 4; i++) {
		pthread_join(t[i], &got);
		h = mix(h, (uint64_t)(uintptr_t)got);
	}
	return h;
}

int main(void)
{
	zeroed = 5;
	guest_run("tls", round_);
	printf("main's own: %" PRIu64 " %s %d\n", zeroed, record.name,
	       record.n);
	return 0;
}
