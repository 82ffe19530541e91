/*
 * fatal.c - one line on stderr, exit status 1; see fatal.h
 *
 * Process-wide: while a guard is on, the handlers of the signals that a crash
 * raises.
 */
#include "support/fatal.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "support/recover.h"

static const char *program;
static const char *guarded;

static const int crash_signals[] = { SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE,
				     SIGTRAP };
#define N_CRASH (sizeof(crash_signals) / sizeof(crash_signals[0]))
static struct sigaction before[N_CRASH];

/* write(2) only: the heap may be damaged. */
void cofl_fatal_say(const char *what, const char *more)
{
	char line[512];
	size_t n = 0;
	const char *part[] = { "runtime: ", program, ": ", what, more };

	for (int i = 0; i < 5; i++)
		for (const char *s = part[i]; *s && n < sizeof(line) - 1; s++)
			line[n++] = *s == '\n' ? ' ' : *s;
	line[n++] = '\n';
	if (write(STDERR_FILENO, line, n) < 0)
		return;
}

void cofl_fatal_by_llvm(const char *reason)
{
	cofl_recover_leave(reason);
	cofl_fatal_say(reason, "");
	_exit(1);
}

static void on_crash(int sig)
{
	(void)sig;
	cofl_fatal_say(guarded ? guarded : "crash", "");
	_exit(1);
}

void cofl_fatal_init(const char *name)
{
	program = name;
}

void cofl_fatal_guard_begin(const char *what)
{
	struct sigaction sa = { .sa_handler = on_crash };

	guarded = what;
	for (size_t i = 0; i < N_CRASH; i++)
		sigaction(crash_signals[i], &sa, &before[i]);
}

void cofl_fatal_guard_end(void)
{
	for (size_t i = 0; i < N_CRASH; i++)
		sigaction(crash_signals[i], &before[i], NULL);
	guarded = NULL;
}

void cofl_fatal(const char *format, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	cofl_fatal_say(line, "");
	_exit(1);
}
