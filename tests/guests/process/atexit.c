/*
 * atexit.c - handlers run in reverse order, also those that a handler adds
 *
 * guest-args: exit
 * guest-args: return
 * guest-args: quick
 * guest-args: immediate
 * guest-args: thread
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

NOINLINE static uint64_t work(uint64_t x)
{
	for (int i = 0; i < 3000; i++)
		x = mix(x, (uint64_t)i);
	return x;
}

static uint64_t round_(void) { return work(MIX0); }

static void late(void) { puts("late: added by a handler"); }

static void first(void)
{
	printf("first %016" PRIx64 "\n", work(1));
}

static void second(void)
{
	puts("second");
	atexit(late);
}

static void third(int status, void *arg)
{
	printf("third: status %d, argument %s\n", status, (char *)arg);
}

static void quick(void)
{
	printf("quick %016" PRIx64 "\n", work(2));
	fflush(stdout);
}

__attribute__((destructor)) static void destructor(void)
{
	printf("destructor %016" PRIx64 "\n", work(3));
}

static void *exits(void *arg)
{
	guest_run("atexit in a thread", round_);
	exit(23);
	return arg;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "return";
	pthread_t t;

	atexit(first);
	atexit(second);
	on_exit(third, "three");
	at_quick_exit(quick);
	guest_run("atexit", round_);
	fflush(stdout);
	if (!strcmp(how, "exit"))
		exit(21);
	if (!strcmp(how, "quick"))
		quick_exit(22);
	if (!strcmp(how, "immediate")) {
		printf("never written");
		_exit(24);
	}
	if (!strcmp(how, "thread")) {
		pthread_create(&t, NULL, exits, NULL);
		pthread_join(t, NULL);
	}
	return 20;
}
