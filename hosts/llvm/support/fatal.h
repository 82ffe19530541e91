/*
 * fatal.h - errors that end the process: one line on stderr, exit status 1
 *
 * All of them end in one place, with one line that names the program.
 */
#pragma once

/* Put "runtime: PROGRAM: " before every line. The string is borrowed for
 * good. */
void cofl_fatal_init(const char *program);

/* Print the line made of both parts. Thread: any; also in signal handlers. */
void cofl_fatal_say(const char *what, const char *more);

/* LLVM's fatal error handler: ends the build (support/recover.h), or prints the
 * reason and ends the process. */
void cofl_fatal_by_llvm(const char *reason);

/*
 * While LLVM reads unchecked bytes, a crash in it is the file's fault. Between
 * begin and end, a fatal signal ends the process with status 1 and the line
 * `what`, which is borrowed until end. Guards do not nest.
 */
void cofl_fatal_guard_begin(const char *what);
void cofl_fatal_guard_end(void);

/* Print the line and end the process, without exit handlers. Thread: any. */
void cofl_fatal(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
