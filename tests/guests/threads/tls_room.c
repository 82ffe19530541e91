/*
 * tls_room.c - few thread-local variables: what they hold in threads of all
 * kinds
 *
 * guest-hot:
 * guest-args: threads
 * guest-args: timer
 * guest-args: forked
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static int something;

_Thread_local uint64_t state = 0x9e3779b97f4a7c15u;
static _Thread_local uint64_t calls;
static _Thread_local int *where = &something;
static _Thread_local char name[40] = "as it was written";
static _Thread_local _Alignas(32) unsigned char aligned[32] = { 1, 2, 3 };

NOINLINE static uint64_t next(void)
{
	calls++;
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 33;
}

static uint64_t sum(void)
{
	uint64_t h = MIX0;

	state = 1;
	for (int i = 0; i < 5000; i++)
		h += next();
	return mix(h, aligned[1]);
}

/* As a thread finds them. */
static int is_new(void)
{
	return state == 0x9e3779b97f4a7c15u && calls == 0 &&
	       where == &something && !strcmp(name, "as it was written") &&
	       aligned[2] == 3 && aligned[3] == 0 &&
	       (uintptr_t)aligned % 32 == 0;
}

static void *work(void *right)
{
	int was_new = is_new();

	strcpy(name, "and changed");
	*(int *)right = was_new && sum() == sum() && calls == 10000;
	return NULL;
}

static uint64_t threads(void)
{
	pthread_t thread[8];
	int right[8], all = is_new();
	uint64_t h = MIX0;

	ROUNDS_BEGIN(round)
		round = sum();
		h = round;
	ROUNDS_END(round);
	for (int turn = 0; turn < 2; turn++) {
		for (int i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, work, &right[i]);
		for (int i = 0; i < 8; i++) {
			pthread_join(thread[i], NULL);
			all += right[i];
		}
	}
	return mix(h, (uint64_t)all);
}

/* On a thread that libc makes for itself. */
static sem_t rang;
static int right_in_timer;

static void ring(union sigval unused)
{
	(void)unused;
	work(&right_in_timer);
	sem_post(&rang);
}

static uint64_t timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD,
				  .sigev_notify_function = ring };
	struct itimerspec soon = { .it_value.tv_nsec = 1000000 };
	uint64_t h = MIX0;
	timer_t id;

	sem_init(&rang, 0, 0);
	timer_create(CLOCK_MONOTONIC, &event, &id);
	timer_settime(id, 0, &soon, NULL);
	sem_wait(&rang);
	ROUNDS_BEGIN(round)
		round = sum();
		h = round;
	ROUNDS_END(round);
	return mix(h, (uint64_t)right_in_timer);
}

static uint64_t forked(void)
{
	uint64_t before, h = MIX0;
	int status;
	pid_t child;

	ROUNDS_BEGIN(round)
		round = sum();
		h = round;
	ROUNDS_END(round);
	before = state;
	child = fork();
	if (child == 0) {
		pthread_t thread;
		int right;

		pthread_create(&thread, NULL, work, &right);
		pthread_join(thread, NULL);
		_exit(right && state == before ? 7 : 1);
	}
	waitpid(child, &status, 0);
	return mix(h, (uint64_t)WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	static const struct guest_case cases[] = {
		GUEST_CASE(threads), GUEST_CASE(timer), GUEST_CASE(forked),
	};

	return guest_cases(cases, 3, argc, argv);
}
