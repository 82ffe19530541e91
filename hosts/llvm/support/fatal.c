/*
 * fatal.c - leave, or one line on stderr and the end; see fatal.h
 */
#include "support/fatal.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "support/recover.h"

static const char *program;
static bool        beside;	/* the process is a program's */

/* write(2) only: the heap may be damaged. */
static void say(const char *what, const char *more)
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

/* exit(3) does not wait for threads that build. */
__attribute__((noreturn))
static void end(void)
{
	while (beside)
		pause();
	_exit(1);
}

void cofl_fatal_by_llvm(const char *reason)
{
	cofl_recover_leave(reason);
	say(reason, "");
	end();
}

void cofl_fatal_beside_program(void)
{
	beside = true;
}

void cofl_fatal_init(const char *name)
{
	program = name;
}

void cofl_fatal(const char *format, ...)
{
	char line[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(line, sizeof(line), format, ap);
	va_end(ap);
	cofl_recover_leave(line);
	say(line, "");
	end();
}
