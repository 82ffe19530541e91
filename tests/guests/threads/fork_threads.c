/*
 * fork_threads.c - a fork's child makes threads that run something for the
 * first time
 *
 * guest-hot:
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define FIRST(n) \
	NOINLINE static uint64_t first##n(uint64_t x) { return x * 3 + n; }
FIRST(0) FIRST(1) FIRST(2) FIRST(3) FIRST(4) FIRST(5)

static uint64_t (*volatile const first[])(uint64_t) = {
	first0, first1, first2, first3, first4, first5,
};

static void *thread_of_child(void *arg)
{
	uint64_t from = (uintptr_t)arg, h = 0;

	for (uint64_t i = 0; i < 3; i++) {
		char *s = strdup("a thread's");

		h += first[from * 3 + i](i) + strlen(s);
		free(s);
	}
	return (void *)(uintptr_t)h;
}

static int child(void)
{
	pthread_t thread[2];
	uintptr_t sum = 0;

	for (uintptr_t i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, thread_of_child,
				   (void *)i) != 0)
			return 1;
	for (int i = 0; i < 2; i++) {
		void *h;

		pthread_join(thread[i], &h);
		sum += (uintptr_t)h;
	}
	return (int)(sum & 63);
}

static uint64_t round_(void)
{
	uint64_t h = MIX0;

	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();
		int status = 0;

		if (pid == 0)
			_exit(child());
		for (int k = 0; k < 100; k++)
			h = guest_work(h);
		waitpid(pid, &status, 0);
		h = mix(h, (uint64_t)status);
	}
	return h;
}

int main(void)
{
	guest_run("fork_threads", round_);
	return 0;
}
