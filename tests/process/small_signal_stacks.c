/*
 * small_signal_stacks.c - alternate stacks with just enough room for a handler
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

#define THREADS 3
#define RUN_MS  1500

static size_t bytes;
static _Atomic unsigned long handled, sum, wrong;

static void on_signal(int sig)
{
	stack_t now;

	(void)sig;
	sum += work(2000);
	handled++;
	wrong += sigaltstack(NULL, &now) != 0 || now.ss_flags != SS_ONSTACK ||
		 now.ss_size != bytes;
}

static void use(char *room)
{
	stack_t set = { .ss_sp = room, .ss_size = bytes }, now;

	wrong += sigaltstack(&set, &now) != 0 || now.ss_flags != SS_DISABLE;
	for (int i = 0; i < 30; i++) {
		sum += work(20000);
		pthread_kill(pthread_self(), SIGUSR1);
	}
	set.ss_flags = SS_DISABLE;
	wrong += sigaltstack(&set, &now) != 0 || now.ss_sp != room ||
		 now.ss_size != bytes || now.ss_flags != 0;
	wrong += sigaltstack(NULL, &now) != 0 || now.ss_flags != SS_DISABLE;
}

static void *in_thread(void *unused)
{
	char *room = malloc(bytes);

	(void)unused;
	use(room);
	free(room);
	return NULL;
}

int main(void)
{
	struct sigaction act = { .sa_handler = on_signal,
				 .sa_flags = SA_ONSTACK };
	unsigned long n = 0;

	/* As many programs have it. If the kernel's frame is larger than that,
	 * they have other ways natively. */
	bytes = 4096;
	sigaction(SIGUSR1, &act, NULL);
	while (clock() < RUN_MS * CLOCKS_PER_SEC / 1000) {
		pthread_t thread[THREADS];

		for (int i = 0; i < THREADS; i++)
			pthread_create(&thread[i], NULL, in_thread, NULL);
		for (int i = 0; i < THREADS; i++)
			pthread_join(thread[i], NULL);
		in_thread(NULL);
		n += 30 * (THREADS + 1);
	}
	printf("%d handled, %lu wrong\n", handled == n,
	       (unsigned long)wrong);
	return 0;
}
