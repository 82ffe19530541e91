/*
 * fatal.h - errors that end the process: one line on stderr, exit status 1
 *
 * All of them end in one place, with one line that names the program.
 */
#pragma once

/* Put "runtime: PROGRAM: " before every line. The string is borrowed for
 * good. */
void cofl_fatal_init(const char *program);

/* LLVM's fatal error handler: ends the build (support/recover.h), or prints the
 * reason and ends the process. */
void cofl_fatal_by_llvm(const char *reason);

/* Print the line and end the process, without exit handlers. Thread: any. */
void cofl_fatal(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
