/*
 * fork_malloc.c - a handler that forks interrupts malloc(3); hooks run around
 * it
 *
 * guest-hot:
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define CHILDREN 60

static volatile sig_atomic_t ended, wrong;
static volatile int prepared, in_parent, in_child;
static void *volatile kept;

static void prepare(void) { prepared++; }
static void parent(void) { in_parent++; }
static void child(void) { in_child++; }

static void on_alarm(int sig)
{
	int before = errno, status = 0, hooks = prepared;
	pid_t pid;

	(void)sig;
	if (ended >= CHILDREN)
		return;
	pid = fork();
	if (pid == 0)
		_exit(prepared == hooks + 1 && in_child == 1 ? 7 : 8);
	wrong |= pid < 0 || waitpid(pid, &status, 0) != pid ||
		 !WIFEXITED(status) || WEXITSTATUS(status) != 7 ||
		 in_parent != prepared;
	ended++;
	errno = before;
}

/* Blocks that no cache of libc's keeps; what is cut off and joined again. */
static uint64_t round_(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	uint64_t h = MIX0;

	ended = wrong = 0;
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; ended < CHILDREN; i++) {
		char *p = malloc(5000 + (size_t)(i & 1023) * 8);

		kept = p;
		p = realloc(p, 100);
		kept = p;
		free(p);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	for (int i = 0; i < 100; i++)
		h = guest_work(h);
	return mix(h, (uint64_t)wrong);
}

int main(void)
{
	struct sigaction act = { .sa_handler = on_alarm,
				 .sa_flags = SA_RESTART };

	pthread_atfork(prepare, parent, child);
	sigemptyset(&act.sa_mask);
	sigaction(SIGALRM, &act, NULL);
	guest_run("fork_malloc", round_);
	return wrong;
}
