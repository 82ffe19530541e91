/*
 * fork_handler.c - a handler reaps a child and forks the next, as supervisors
 * do
 *
 * guest-hot:
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define CHILDREN 40

static volatile sig_atomic_t begun, reaped, wrong;

static void spawn(void)
{
	pid_t pid;

	if (begun == CHILDREN)
		return;
	begun++;
	pid = fork();
	if (pid == 0)
		_exit(7);
	wrong |= pid < 0;
}

static void on_child(int sig)
{
	int before = errno, status;

	(void)sig;
	while (waitpid(-1, &status, WNOHANG) > 0) {
		reaped++;
		wrong |= !WIFEXITED(status) || WEXITSTATUS(status) != 7;
		spawn();
	}
	errno = before;
}

static uint64_t round_(void)
{
	struct sigaction act = { .sa_handler = on_child,
				 .sa_flags = SA_RESTART };
	sigset_t chld, before;
	uint64_t h = MIX0;

	sigemptyset(&act.sa_mask);
	sigaction(SIGCHLD, &act, NULL);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	begun = reaped = wrong = 0;
	spawn();
	spawn();
	for (int i = 0; i < 100; i++)
		h = guest_work(h);
	sigprocmask(SIG_BLOCK, &chld, &before);
	while (reaped < CHILDREN)
		sigsuspend(&before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return mix(mix(h, (uint64_t)reaped), (uint64_t)wrong);
}

int main(void)
{
	guest_run("fork_handler", round_);
	return 0;
}
