/*
 * fatal.h - errors after which a thread cannot go on
 *
 * Inside cofl_recover() (recover.h) they end what that does, and no more.
 * Outside, one line on stderr names the program. Then the process ends with
 * status 1, if it is one of ours. If a program runs in it that would go on
 * natively, only the calling thread stops, for good. It must hold no lock that
 * the program's threads take, at a fork or at their end, and not be SAM's,
 * which exit(3) waits for.
 */
#pragma once

/* Put "runtime: PROGRAM: " before every line. The string is borrowed for
 * good. */
void cofl_fatal_init(const char *program);

/* A program runs in this process. Before there is a second thread of ours. */
void cofl_fatal_beside_program(void);

/* LLVM's fatal error handler. */
void cofl_fatal_by_llvm(const char *reason);

/* Thread: any. */
void cofl_fatal(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
