/*
 * system_v_signals.c - sigset(3) and its kin
 *
 * args: 23
 * args: 62
 * args: 10
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "work.h"

#define RUN_MS 400

static volatile int calls;

static void on_signal(int sig)
{
	(void)sig;
	calls++;
}

static const char *name_of(void (*handler)(int))
{
	return handler == SIG_DFL ? "default" : handler == SIG_IGN ? "ignored" :
	       handler == SIG_HOLD ? "held" : handler == SIG_ERR ? "error" :
	       handler == on_signal ? "handled" : "else";
}

static void works(void)
{
	work_for(RUN_MS);
	printf("%d calls\n", calls);
}

int main(int argc, char **argv)
{
	int sig = atoi(argv[argc - 1]);

	puts(name_of(sigset(sig, on_signal)));
	works();
	raise(sig);
	works();
	puts(name_of(sigset(sig, SIG_HOLD)));
	puts(name_of(sigset(sig, on_signal)));
	printf("%d\n", sighold(sig));
	works();
	puts(name_of(sigset(sig, SIG_HOLD)));
	printf("%d\n", sigrelse(sig));
	printf("%d\n", sigignore(sig));
	raise(sig);
	works();
	puts(name_of(sigset(sig, SIG_DFL)));
	return 0;
}
